"""What every message is made of: sizes that are never exceeded, and fields that are all known."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

LONGEST_TEXT = 1_000_000  # characters of a document's text in one message
LONGEST_WORD = 300  # characters of a name
MOST_OPERATIONS = 2_000  # of one edit
MOST_NAMES = 64  # quantities read in one request
MOST_SAMPLES = 20_001  # of one motion
MOST_PLACES = 500  # of a path that was sketched

Word = Annotated[str, Field(max_length=LONGEST_WORD)]
Key = Annotated[str, Field(max_length=LONGEST_WORD)] | int
DocumentPath = Annotated[list[Key], Field(min_length=1, max_length=32)]
Finite = Annotated[float, Field(allow_inf_nan=False, ge=-1e100, le=1e100)]
Amount = Finite | Word  # a bare number, or a text with a unit or a formula
Point = Annotated[list[Finite], Field(min_length=2, max_length=3)]
Triple = Annotated[list[Finite], Field(min_length=3, max_length=3)]
Place = Triple | Word  # of the scene, m, or the name of a point: crank.end
Numbers = list[float]


class AbstractMessage(BaseModel):
    """What is sent; a field that nobody knows is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AbstractRequest(AbstractMessage):
    """What a page asks; `id` is of the page's choice and named by all answers."""

    id: int = Field(strict=True, ge=0, le=2**53)
