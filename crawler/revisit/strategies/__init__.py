"""One file per way to choose the known pages of a night, all behind `interface.Strategy`."""
