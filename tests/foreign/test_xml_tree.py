"""XML of strangers: lines are known, document types and entities are refused, limits hold."""

import pytest

from kempe.errors import FileError
from kempe.foreign.opening import read_foreign
from kempe.xml_tree import DEEPEST, XmlTree

BOMB = """<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
<robot name="&c;"/>
"""
OUTSIDE = '<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>'
ELSEWHERE = '<!DOCTYPE robot SYSTEM "http://example.org/robot.dtd"><robot/>'


def test_elements_know_their_lines():
    tree = XmlTree(b"<a>\n <b x='1 2 3'/>\n\n <c/></a>", "a.xml")
    b, c = tree.root
    assert (tree.line(b), tree.line(c)) == (2, 4)
    assert tree.numbers(b, "x", 3) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, ELSEWHERE])
@pytest.mark.parametrize("ending", [".urdf", ".xml"])
def test_a_document_type_is_refused_and_nothing_is_fetched(tmp_path, text, ending):
    path = tmp_path / f"evil{ending}"
    path.write_text(text)
    with pytest.raises(FileError, match="document type") as mistake:
        read_foreign(path)
    assert mistake.value.line in (1, 2)


def test_an_entity_that_nobody_declared_is_refused():
    with pytest.raises(FileError, match="undefined entity"):
        XmlTree(b"<a x='&boom;'/>", "a.xml")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no element"),
        (b"<a>", "no element"),
        (b"<a></b>", "mismatched tag"),
        (b"<a x='1' x='2'/>", "duplicate attribute"),
        (b"\xff\xfe<a/>", "no XML"),
        (b"<?xml version='1.0' encoding='nothing'?><a/>", "encoding"),
        (b"<a>" * (DEEPEST + 1), "deeper"),
    ],
)
def test_what_is_no_xml_is_refused(content, said):
    with pytest.raises(FileError, match=said):
        XmlTree(content, "a.xml")


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "0x10", "1_0", "one", "9" * 500, "1,2"])
def test_what_is_no_finite_number_is_refused_with_its_line(text):
    tree = XmlTree(f"<a>\n<b x='{text}'/></a>".encode(), "a.xml")
    with pytest.raises(FileError, match="no finite number") as mistake:
        tree.numbers(tree.root[0], "x", 1)
    assert mistake.value.line == 2
