"""One scene in, one 128x64 one-bit picture out. No clock, no device, no state but drawn glyphs kept for speed."""
