"""Which dimensions do what is wanted: exactly at a few positions, or as nearly as possible.

`exact` lists every four-bar that meets given positions, proved; `fitting` leads the parameters of
any mechanism to a target; `curves` describes closed curves so that like ones are found.
"""
