"""A real Chroma server for the tests."""
