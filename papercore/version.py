"""The product's version, the only place that states it."""

VERSION = "0.3.0"
