"""A server that speaks the part of Hindsight's API that is used."""
