"""The formats of image files: bytes to arrays and back. Pillow decompresses; what the numbers mean is decided here."""
