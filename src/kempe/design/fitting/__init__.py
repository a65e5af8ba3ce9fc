"""Leading the parameters of a mechanism to a target: least squares from many starts at once.

`targets` say what is wanted as residuals of what a batch reads, `requirements` what must hold,
`curve_distance` how far points are from a sampled curve, `levenberg` takes all starts side by side
through Levenberg and Marquardt's method, and `search` chooses the starts.
"""
