"""`kempe demo`: a page that moves, also where there is no screen."""

import json


def test_the_demo_writes_a_page_and_says_where(kempe, tmp_path):
    answer = kempe("demo")
    assert answer.code == 0
    assert "demo.html" in answer.out
    assert "51.77 deg" in answer.out
    page = (tmp_path / "demo.html").read_text()
    assert "<html" in page
    assert "https://" not in page


def test_the_demo_s_facts_are_json(kempe, tmp_path):
    facts = json.loads(kempe("demo", "-o", "show.html", "--no-open", "--json").out)
    assert facts["page"] == "show.html"
    assert facts["opened"] is False
    assert round(facts["rocker_swing_deg"], 1) == 51.8
    assert (tmp_path / "show.html").is_file()


def test_a_page_nowhere_is_a_mistake(kempe):
    answer = kempe("demo", "-o", "nowhere/demo.html")
    assert answer.code == 2
    assert "nowhere" in answer.err
