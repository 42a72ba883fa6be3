"""Of several troubles the newest is on the screen; what cannot say that it is well again goes by itself."""

from __future__ import annotations

from math import inf

from device.troubles import NOTICE, Troubles


def test_the_newest_is_shown_and_an_older_one_again_when_it_heals() -> None:
    troubles = Troubles()
    troubles.gone("oled", "no display", 0.0)
    troubles.gone("store", "no card", 1.0)
    assert (troubles.newest, troubles.due) == ("store", inf)
    troubles.back("store")
    assert troubles.newest == "oled"
    troubles.back("oled")
    assert (troubles.newest, troubles.text("oled")) == ("", "")


def test_what_only_happened_goes_after_a_minute() -> None:
    troubles = Troubles()
    troubles.gone("error", "something unexpected", 10.0)
    troubles.gone("error", "again", 20.0)
    assert troubles.due == 20.0 + NOTICE
    assert not troubles.expire(19.0 + NOTICE)
    assert troubles.expire(20.0 + NOTICE)
    assert (troubles.newest, troubles.due) == ("", inf)


def test_a_loss_is_still_to_be_read_for_a_while_after_all_is_well() -> None:
    troubles = Troubles()
    troubles.gone("store", "set aside", 0.0)
    troubles.fade("store", 5.0)
    troubles.fade("store", 50.0)
    assert (troubles.newest, troubles.due) == ("store", 5.0 + NOTICE)
