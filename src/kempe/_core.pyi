"""The C++ core of kempe: array functions and a few opaque handles."""



def version() -> str:
    """The version of kempe that this core was built for."""
