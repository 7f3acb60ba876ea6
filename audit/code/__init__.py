"""How code is read: parsed, its values followed, its rules matched. No text of a submission is ever executed."""
