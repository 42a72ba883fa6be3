"""Drawings and tables of the box as it is wired, made from the code's own pins: `python -m hardware.generate`."""
