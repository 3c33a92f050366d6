"""The hand-written pages: taken apart, run, type-checked, and brought up to date."""
