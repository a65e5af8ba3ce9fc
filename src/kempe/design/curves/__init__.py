"""Closed curves as numbers that stay when one is moved, turned, scaled or begun later."""
