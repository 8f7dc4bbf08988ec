"""Where settings come from: the environment, the file of settings, and the places where the program keeps things."""
