"""Every fault of the field notes that can be made without a Raspberry Pi, against the real service."""
