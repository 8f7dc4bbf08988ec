"""What can go wrong when a sentence model is installed. The messages are for people, and say what to do."""


class ModelNotInstalled(Exception):
    """Nothing was installed, and what was there before is unchanged."""


class ModelDamaged(ModelNotInstalled):
    """A file is not what it should be."""
