"""The rules, proven: whole states after named events, and laws that hold after any sequence of them."""
