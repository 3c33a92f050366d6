"""Parse, run, type-check and update the hand-written pages."""
