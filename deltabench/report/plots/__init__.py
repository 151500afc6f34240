"""One file per plot; each answers the question that its title asks."""
