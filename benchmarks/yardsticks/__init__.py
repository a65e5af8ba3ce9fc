"""What kempe is measured with and against."""
