"""Does it go together, how freely does it move, and where is everything as the drive turns?"""
