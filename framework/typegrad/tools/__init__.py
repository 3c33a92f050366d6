"""What looks at graphs from outside: pictures, the command line and the demo."""
