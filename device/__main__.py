"""`python -m device` is `ubongo-box`."""

from __future__ import annotations

import sys

from device.cli import main

sys.exit(main())
