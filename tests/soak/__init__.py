"""The long trials: kills, mashing, faults, a long evening, hostile files. `python -m tests.soak` runs them all."""
