"""Ways to choose the next link, one file each, all behind one small interface."""
