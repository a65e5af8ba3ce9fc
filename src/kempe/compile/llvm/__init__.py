"""Tapes as native code, by way of LLVM; imported on first use only."""
