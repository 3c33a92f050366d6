"""What people read about typegrad: the guides, the pages of the operations, the search."""
