"""Kinematic states of one frame seen from another, their products, vectors that know a frame."""
