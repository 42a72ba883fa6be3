"""The Ubongo box: game <- table <- screen, joined with parts, store and simulator by service and rehearse.

Nothing but the package's version lives here.
"""

__version__ = "1.0.0"
