"""What a child process reads: files that could harm the process that reads them."""
