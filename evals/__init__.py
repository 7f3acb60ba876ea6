"""The measures a user can run again on their own data: ``python -m evals recall|calibrate|background``."""
