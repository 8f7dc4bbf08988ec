"""What an engine answers, and the engines that do."""
