"""Files on disk: a file is there as a whole or not at all."""

from kempe.disk import replace_file as replace_file
