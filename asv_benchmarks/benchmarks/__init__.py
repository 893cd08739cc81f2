"""pyasc beside NumPy. Every benchmark has the parameter `library`; `make bench` prints the ratio."""
