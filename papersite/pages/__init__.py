"""The pages of the site itself."""
