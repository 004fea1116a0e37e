raise ImportError("not installed")
