"""The memory: records with provenance, a ledger that is the truth, and indexes that can be thrown away."""
