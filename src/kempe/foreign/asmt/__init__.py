"""ASMT files: assemblies of freeCAD and of the OndselSolver, with their results."""
