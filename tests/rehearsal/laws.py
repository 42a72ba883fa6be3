"""Laws that every transcript of a rehearsal obeys, whatever the script: read from the transcript alone.

A reader of its own, with its own ledger: it shares nothing with the box but the edition files. `check` raises a
Broken that names the law, the object and what came before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isclose

from device.game.editions import load
from tests.rehearsal.ledger import COVERS, EXACT, FATES, HEARD, RESTING, SEATS, Broken, One, Played
from tests.rehearsal.round_laws import RoundLaws

SOUNDS = {"roll", "claim", "tick", "second-chance", "stop", "late", "refused", "gem", "final", "record"}

FIELDS: dict[str, set[str]] = {
    "scene": {"scene"},
    "joined": {"player"},
    "left": {"player"},
    "youngest": {"player"},
    "started": {"edition", "side", "players", "scoring", "bag"},
    "rolled": {"player", "symbol", "line"},
    "flip": {"seconds", "chance"},
    "claim": {"player", "place", "left"},
    "withdrawn": {"player"},
    "late": {"player", "by"},
    "stop": {"reason"},
    "gem": {"player", "gem", "source"},
    "returned": {"gem"},
    "track": {"sapphires", "ambers"},
    "card": {"player", "stack"},
    "scored": {"round", "scores"},
    "playoff": {"players"},
    "final": {"scores", "ranking"},
    "alone": {"goal", "solved", "aside", "seconds", "record"},
    "undone": {"decision"},
    "sound": {"sound"},
    "notice": {"about", "text"},
    "resumed": {"round", "left"},
    "lamps": {"lit", "blinking"},
}
# What comes of a press that goes on from check.
GIVES = {"gem", "returned", "track", "card", "scored", "final"}

# Where a scene may lead when no undo, cut or overlay comes between. Menu, sleep and waking: see `_scene`.
LEADS_TO: dict[str, set[str]] = {
    "": {"lobby", "resume"},
    "lobby": {"youngest", "ready", "alone", "count"},
    "youngest": {"lobby", "ready", "stacks"},
    "ready": {"race"},
    "stacks": {"ready"},
    "race": {"check", "scores"},
    "check": {"draw", "scores", "final", "race", "playoff"},
    "draw": {"scores", "check"},
    "scores": {"race", "ready", "stacks", "final", "playoff"},
    "playoff": {"check"},
    "final": {"lobby", "count"},
    "alone": {"lobby", "final"},
    "count": {"final", "count"},
}


class Laws(RoundLaws):
    """Reads a transcript object by object."""

    def read(self, one: One) -> None:
        t, what = one["t"], one["what"]
        self.need(isinstance(t, float | int) and t == round(t, 3) and t >= self.t, "t is in ms and never goes back")
        self.t = t
        while self.cuts and self._cut_is_before(one):
            self._cut(self.cuts.pop(0))
        self.need(what in FIELDS, f"{what} is no kind of object")
        extra = set(one) - {"t", "what"} - FIELDS[what]
        self.need(FIELDS[what] <= set(one), f"{what} has all its fields")
        self.need(
            not extra or (what == "card" and len(extra) == 1 and extra <= FATES), f"{what} has no others: {extra}"
        )
        if "player" in one:
            self.need(one["player"] in SEATS, "players are red, blue, green, yellow")
        if self.scene == "check" and what in GIVES and not self._decided("check"):
            self._push("check")
        getattr(self, "_" + what)(one)

    def _cut_is_before(self, one: One) -> bool:
        # What is said at the very time of a cut was said before it, unless it is the first scene after it.
        cut = round(self.cuts[0], 3)
        boots = self.scene and one["what"] == "scene" and one["scene"] in ("resume", "lobby")
        return self.t > cut or (self.t == cut and bool(boots))

    def _cut(self, at: float) -> None:
        if self.end is not None:
            self.rest = max(0.0, self.end - at)
            self.end = None
        self.scene = self.behind = ""
        self.joined = set()

    def _scene(self, one: One) -> None:
        to, was = one["scene"], self.scene
        self.need(to in COVERS or to in LEADS_TO, f"{to} is no scene")
        self.need(to != was, f"the scene {to} is said once")
        covers = to in COVERS
        if covers and was not in COVERS:
            self.behind = was
        elif not covers:
            before = self.behind if was in COVERS else was
            legal = to in LEADS_TO[before] or (was in COVERS and to in (before, "lobby", "count"))
            legal = legal or (was in RESTING and before in ("", "race"))
            self.need(legal or self.undone, f"{before or 'power-on'} does not lead to {to}")
            self.undone = False
            if to == "lobby":
                self._forget()
            if (before, to) == ("check", "draw") and not self._decided("check"):
                self._push("check")
            if to == "race" and before in ("ready", "scores") and self.edition and not self._decided("roll"):
                self._push("go" if self.edition.start == "ready" else "reveal")
                self._next_round()
            if to == "stacks" and before == "scores":
                self._push("next")
                self._next_round()
        self.scene = to
        self._glass_rests(to in RESTING)

    def _glass_rests(self, resting: bool) -> None:
        if resting and self.end is not None:
            self.rest = max(0.0, self.end - self.t)
            self.end = None
        elif not resting and self.scene == "race" and self.rest is not None:
            self.end, self.rest = self.t + self.rest, None

    def _joined(self, one: One) -> None:
        self.need(self.scene == "lobby" and one["player"] not in self.joined, "joins once, in the lobby")
        self.joined.add(one["player"])

    def _left(self, one: One) -> None:
        self.need(self.scene == "lobby", "leaves in the lobby")
        self.joined.discard(one["player"])

    def _youngest(self, one: One) -> None:
        self.need(self.scene == "youngest", "the youngest presses in its own scene")
        self.youngest = one["player"]

    def _started(self, one: One) -> None:
        self._forget()
        edition = load(one["edition"])
        self.edition, self.scoring, self.bag_kind = edition, one["scoring"], one["bag"]
        self.players = one["players"]
        self.need(self.players == [p for p in SEATS if p in self.players], "players are in seat order")
        self.need(edition.players[0] <= len(self.players) <= edition.players[1], "as many as the edition is for")
        cards = edition.cards_for_two if len(self.players) == 2 else edition.cards
        self.p = Played(
            hands={p: Counter() for p in self.players},
            bag=Counter(edition.bag.as_dict()),
            counts=dict.fromkeys(self.players, 0),
            stacks=[cards] * 4,
            starter=self.youngest if edition.first == "youngest" else None,
        )

    def _resumed(self, one: One) -> None:
        left = one["left"]
        self.need(self.scene == "resume", "a match is resumed from its scene")
        if self.edition is None:
            return
        self.need(one["round"] == self.p.round, "the round is the one that was cut off")
        if self.rest is not None:
            lost = left - self.rest
            self.need(
                -EXACT - self.blur <= lost <= 0.25 + EXACT + HEARD,
                f"a power cut costs at most 250 ms of the glass, not {lost:.3f}",
            )
            self.rest = left

    def _undone(self, one: One) -> None:
        self.undone = True
        decision, stopped = one["decision"], self.p.stopped
        if self.edition is None:
            return
        names = [name for name, _ in self.past]
        self.need(decision in names, f"there is a {decision} to undo: {names}")
        if self.t in self.menus and self.scene not in RESTING:
            # The menu takes its own presses back, not what others did meanwhile: whose it was is not said.
            self.need(decision in ("claim", "withdrawal"), "the menu takes back claims and withdrawals")
            del self.past[len(names) - 1 - names[::-1].index(decision)]
            for p in (self.p, *(before for _, before in self.past)):
                if p.round == self.p.round:
                    p.claims = None
            self.p.stopped = False
            if decision == "withdrawal" and self.p.turned == 2:
                # With that claim in place the first glass was the last one: when it ran out is not said again.
                self.end = self.rest = None
            if self.edition.start == "first-claim":
                self.p.turned, self.end, self.rest = 0, None, None
        else:
            self.need(names[-1] == decision, "only the last decision is undone")
            self.p = self.past.pop()[1]
        if stopped or not self.p.turned:
            self.end = self.rest = None
        self.loud = 0

    def _sound(self, one: One) -> None:
        sound = one["sound"]
        self.need(sound in SOUNDS, f"{sound} is no sound")
        if sound == "stop":
            self.loud += 1
        if sound == "tick" and self.end is not None and self.edition and not self.handicaps:
            left = self.end - self.t
            most = self.total if self.edition.counts else 10
            self.need(
                isclose(left, round(left), abs_tol=0.06) and 0.9 < left < most + 0.06, f"ticks {left:.3f} s before"
            )
        if sound == "tick":
            self.need(self.scene in ("race", "alone"), "ticks while sand runs")

    def _notice(self, one: One) -> None:
        self.need(one["text"] and "\n" not in one["text"], "a notice is one line")

    def _alone(self, one: One) -> None:
        self.need(one["solved"] >= 0 and one["aside"] >= 0 and one["seconds"] >= 0, "no negative results")

    def _lamps(self, one: One) -> None:
        self.need(not set(one["lit"]) & set(one["blinking"]), "a lamp is lit or blinks")


def check(said: Sequence[One], cuts: Iterable[float] = (), handicaps: bool = False) -> None:
    """All laws over a whole transcript; Broken names the law and the place."""
    menus = [one["t"] for one in said if one["what"] == "scene" and one["scene"] == "menu"]
    laws = Laws(cuts, handicaps, menus)
    for number, one in enumerate(said):
        try:
            laws.read(one)
        except Broken as broken:
            before = "\n".join(f"  {other}" for other in said[max(0, number - 12) : number])
            raise Broken(f"{broken}\n{before}\n> {one}") from None
