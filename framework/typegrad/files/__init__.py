"""What is written to disk: checkpoints and event files."""
