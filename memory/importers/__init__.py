"""Importers: from an exported file to records, with every doubt named before anything is stored.

``read_table`` reads the file, ``guess_mapping`` proposes which column is what, ``plan_import`` says what each row
would become, and ``Imports`` applies a plan in one transaction and can undo exactly that.
"""
