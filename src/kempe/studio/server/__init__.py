"""The server of the studio: one document, its pages, and the workers that compute for them."""
