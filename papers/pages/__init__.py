"""The pages of the library, by what they show."""
