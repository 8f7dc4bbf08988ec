"""The product's version; everything that tells one tells this."""

VERSION = "0.2.0"
