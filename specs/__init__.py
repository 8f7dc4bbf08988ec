"""Requirement specs ("spox"): reading, search, core, tools, REST and pages."""
