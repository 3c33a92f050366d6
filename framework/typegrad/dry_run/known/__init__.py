"""What is known of values that a dry run does not have."""
