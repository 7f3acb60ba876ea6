"""The audit: a pure core (types, modes, analysts, prompt, parse, guard, score) with thin edges."""
