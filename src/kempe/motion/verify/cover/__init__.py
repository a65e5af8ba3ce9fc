"""Charts, links and covers of a block proved again, thousands of boxes at once."""
