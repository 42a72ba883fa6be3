"""The rules. No clock, no buttons, no pictures, no files but the edition data; chance and times are handed in."""
