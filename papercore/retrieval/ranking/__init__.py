"""From a request to hits: what to look for, whether anything answers, in which order, and what is shown."""
