"""One error for each mistake: which errors follow from others, and which are about one that is told elsewhere."""
