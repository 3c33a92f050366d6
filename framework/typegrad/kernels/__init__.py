"""What operations compute, over arrays; one module per registry file. They know nothing of graphs."""
