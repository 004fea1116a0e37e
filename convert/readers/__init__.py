"""One module a format: `read_<format>(stream, context) -> Document`."""
