"""The evening: button edges and "it is now t" go in, game events and what to show, light and sound come out.

Pure: no threads, no I/O, no clock of its own.
"""
