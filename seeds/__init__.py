"""The records a new memory starts with: seven past investments and seven resolved bugs."""
