"""What is given to a builder: arguments, handles of parts, bars."""
