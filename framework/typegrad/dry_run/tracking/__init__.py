"""What is known of the objects of a program, and how that is forgotten or undone."""
