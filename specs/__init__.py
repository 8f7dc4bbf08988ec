"""The requirement specs ("spox"): parser, core, index, tools, pages."""
