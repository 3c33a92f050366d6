"""Tools for graphs and registries: pictures, the command line and the demo."""
