"""The pages of the site. They read through selectors, write through services, and show what `visibility` allows."""
