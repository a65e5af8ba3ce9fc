"""A mechanism in the hand: a point is pulled, the rest follows as joints and limits allow."""
