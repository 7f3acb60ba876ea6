"""One reader a format: bytes in, pages of text out. No reader runs, fetches or follows anything it finds."""
