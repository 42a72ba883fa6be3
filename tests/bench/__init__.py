"""The bench: what the box costs and how late it is, beside its peers. `python -m tests.bench` prints the table."""
