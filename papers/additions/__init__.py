"""What people bring to the library in the browser: received, read, shown before it is applied, applied."""
