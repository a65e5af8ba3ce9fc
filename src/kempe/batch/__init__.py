"""Many variants of one mechanism at once.

`variants` turns parameters into the numbers of compiled programs, `starts` brings every variant to
its assembly, `sweeps` moves all of them, eight at a time in SIMD lanes and in several threads, and
those that end early one by one.
"""
