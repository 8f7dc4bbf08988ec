"""What requests and builds cost, beside a baseline of the same run."""
