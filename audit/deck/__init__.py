"""How a deck is read: its passages, its numbers, where it stands on each subject, and what contradicts itself."""
