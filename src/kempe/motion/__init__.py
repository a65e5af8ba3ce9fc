"""Every way a mechanism can be put together and move, certified."""
