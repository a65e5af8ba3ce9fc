"""The first cases of every campaign, and those that once were wrong, find nothing."""

import sys

import pytest

from tests.campaigns.judge import Campaign, every_campaign, faults_of

CAMPAIGNS = every_campaign()


@pytest.mark.parametrize("campaign", CAMPAIGNS.values(), ids=CAMPAIGNS.keys())
def test_the_first_cases_of_a_campaign_find_nothing(campaign: Campaign) -> None:
    found = [
        f"--case {number}: {fault}"
        for number in (*range(campaign.cases), *campaign.remembered)
        for fault in faults_of(campaign, number)
    ]
    assert found == []


@pytest.mark.parametrize("campaign", CAMPAIGNS.values(), ids=CAMPAIGNS.keys())
def test_a_campaign_says_what_is_promised_and_what_judges_it(campaign: Campaign) -> None:
    text = sys.modules[campaign.attempt.__module__].__doc__ or ""
    assert "Promise:" in text
    assert "Oracle:" in text
