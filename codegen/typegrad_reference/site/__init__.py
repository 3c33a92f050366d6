"""The reference as a site."""
