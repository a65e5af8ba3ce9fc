"""Every way a mechanism can move or be put together: components, promises, certificates, files."""
