"""Types that the plugin makes and compares: classes, arrays, what several types have in common."""
