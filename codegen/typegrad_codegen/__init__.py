"""The code generator of typegrad: from the registry (`ops/*.yaml`) to typed wrapper classes."""
