"""What readers are told of an operation, gathered from its entry, its class and its functions; and how it is found."""
