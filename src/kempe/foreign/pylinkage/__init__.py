"""Mechanisms of pylinkage, as it saves them: JSON of joints and links."""
