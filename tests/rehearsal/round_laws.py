"""The laws of a round, from the roll to its scores and to the final; the evening around it is in `laws`."""

from __future__ import annotations

from collections import Counter

from device.game.editions import Edition
from tests.rehearsal.ledger import EXACT, FATES, HEARD, POINTS, RESTING, Ledger, One


class RoundLaws(Ledger):
    """One method an object of the transcript."""

    def _rolled(self, one: One) -> None:
        assert self.edition is not None
        if not self._decided("roll"):
            self._push("roll")
            self._next_round()
            self.p.claims = []
        chips = self.edition.chooser == "chips" and not self.p.tied
        if self.p.starter is not None and not chips:
            self.need(one["player"] == self.p.starter, f"{self.p.starter} rolls, not {one['player']}")
        self.need(self.edition.symbols[one["line"] - 1] == one["symbol"], "symbol and line belong together")
        key = ("roll", self.p.round, bool(self.p.tied), one["player"] if chips else "")
        self.need(self.chance.setdefault(key, one["line"]) == one["line"], "an undone roll comes again")

    def _flip(self, one: One) -> None:
        assert self.edition is not None
        if one["chance"] == 2:
            self.need(self.edition.second_chance and self.p.turned == 1, "one second chance, where the edition has one")
            self.need(not self.p.claims, "a second chance only if nobody solved it")
            was = self.end if self.end is not None else self.t
            late = self.t - was
            self.need(self._takes_back or -EXACT <= late <= HEARD, "the second chance starts at the very end")
            self.end = was + one["seconds"]
            self.loud = 0
        else:
            self.need(one["chance"] == 1 and self.p.turned == 0, "there is a first and a second chance")
            self.end = self.t + one["seconds"]
            self.blur = HEARD if self.edition.start == "first-claim" else 0.0
        if self.scene in RESTING:
            self.rest = self.end - self.t
            self.end = None
        if self.t in self.menus:
            # What the menu took back let the sand run out before: when is not said.
            self.end = self.rest = None
        self.p.turned = one["chance"]
        self.total = one["seconds"]

    def _claim(self, one: One) -> None:
        player, place, left = one["player"], one["place"], one["left"]
        self.need(self.scene in ("race", "playoff", "check", "scores"), f"nobody claims in {self.scene}")
        self.need(player in (self.p.tied or self.players), "who claims takes part")
        self._push("claim")
        if self.p.claims is not None:
            self.need(player not in self.p.claims, "one claim a player")
            self.need(1 <= place <= len(self.p.claims) + 1, "places are without gaps")
            self.p.claims.insert(place - 1, player)
        if left is not None:
            self.need(0 <= left <= self.total, "what is left is in the glass")
            if self.end is not None:
                ago = left - (self.end - self.t)
                self.need(
                    -EXACT - self.blur <= ago <= HEARD,
                    f"left goes by the press's stamp: {ago:.3f} s before it was said",
                )

    def _withdrawn(self, one: One) -> None:
        self.need(self.scene in ("race", "check", "playoff"), "a claim is withdrawn in the race or after it")
        self._push("withdrawal")
        if self.p.claims is not None:
            self.need(one["player"] in self.p.claims, "who withdraws has claimed")
            self.p.claims.remove(one["player"])
        if not self.p.claims and self.edition and self.edition.start == "first-claim" and self.scene == "race":
            self.end, self.p.turned = None, 0

    def _late(self, one: One) -> None:
        self.need(one["by"] > 0, "late is after the end")
        self.need(self.p.claims is None or one["player"] not in self.p.claims, "who claimed in time is not late")
        self.need(one["by"] <= 2.0 or self.handicaps, "after two seconds nobody is late any more")

    def _stop(self, one: One) -> None:
        reason = one["reason"]
        self.need(reason in ("sand", "all", "given-up"), "why it stopped")
        self.need(self.scene in ("race", "playoff") or self._takes_back, "a race stops")
        if reason == "given-up":
            self._push("give-up")
        if reason == "all" and self.p.claims is not None:
            needed = 1 if self.p.tied or (self.edition and self.edition.start == "none") else len(self.players)
            self.need(self.handicaps or len(self.p.claims) == needed, "all have claimed")
        if reason == "sand" and self.end is not None:
            late = self.t - self.end
            self.need(-EXACT - self.blur <= late <= HEARD, f"the sand stops at its end, not {late:.3f} s later")
        self.need(self.loud == 1 or self._takes_back, f"Stop sounds once, not {self.loud} times")
        self.loud, self.p.stopped, self.end, self.rest = 0, True, None, None

    def _gem(self, one: One) -> None:
        p, player, gem, source = self.p, one["player"], one["gem"], one["source"]
        if source == "track":
            first = gem == "sapphire"
            self.need(gem in ("sapphire", "amber"), "the track holds sapphires and ambers")
            if p.claims is not None:
                self.need(len(p.claims) > 1 - first and p.claims[1 - first] == player, "1st sapphire, 2nd amber")
            p.returned.append(gem)
        elif self.scoring == "no-luck":
            self.need(source == "supply", "without luck gems come from the supply")
            place = len([d for d in p.drew if d])
            self.need(gem == list(POINTS)[place], "ruby, sapphire, emerald, amber by place")
            self.need(p.claims is None or p.claims[place] == player, "in place order")
            p.drew.append(player)
        else:
            self.need(source == ("supply" if self.scoring == "take" else "bag"), "where a drawn gem comes from")
            key = ("draw", p.round, len(p.drew))
            if self.bag_kind == "box" and self.scoring != "take":
                self.need(self.chance.setdefault(key, gem) == gem, "an undone draw gives the same gem again")
            self._push("draw")
            p.bag[gem] -= 1
            self.need(p.bag[gem] >= 0, f"there is a {gem} in the bag")
            p.drew.append(player)
            if p.claims is not None and self.scoring == "track":
                self.need(p.drew == p.claims[: len(p.drew)], "draws go in place order")
        p.hands[player][gem] += 1

    def _returned(self, one: One) -> None:
        self.need(one["gem"] not in self.p.returned, "nobody won it")
        self.p.returned.append(one["gem"])
        self.p.bag[one["gem"]] += 1

    def _track(self, one: One) -> None:
        self.p.track -= 1
        self.need(one["sapphires"] == one["ambers"] == self.p.track, "the track loses one pair a round")
        if self.scoring == "track":
            self.need(sorted(self.p.returned) == ["amber", "sapphire"], "the pair is won or returned")

    def _card(self, one: One) -> None:
        p, player, stack = self.p, one["player"], one["stack"]
        fate = next((key for key in FATES if key in one), None)
        if fate is None:
            self.need(self.scene == "stacks", "cards are taken in their scene")
            self._push("stack")
            self.need(stack not in p.taken.values() and p.stacks[stack - 1] > 0, "an open stack")
            p.stacks[stack - 1] -= 1
            p.taken[player] = stack
            return
        self.need(p.taken.get(player) == stack, "the card that was taken")
        if fate != "out":
            p.counts[one["given"] if fate == "given" else player] += 1
        if fate == "given" and p.claims:
            self.need(one["given"] == p.claims[0] and player not in p.claims, "to the first")
        if fate == "kept" and p.claims:
            self.need(player in p.claims, "finishers keep their cards")

    def _scored(self, one: One) -> None:
        p, edition = self.p, self.edition
        assert edition is not None
        self.need(one["round"] == p.round and not p.scored, "each round is scored once, in order")
        self.need(list(one["scores"]) == self.players, "everybody's score")
        p.scored = True
        if edition.unit == "wins":
            self.need(sum(one["scores"].values()) <= p.round, "one win a round at most")
            p.counts = dict(one["scores"])
        totals = self._totals()
        self.need(one["scores"] == totals, f"the scores are {totals}")
        if edition.reward == "track" and self.scoring == "track":
            self._conserved(edition)

    def _conserved(self, edition: Edition) -> None:
        p = self.p
        whole = Counter(edition.bag.as_dict()) + Counter(sapphire=9, amber=9)
        there = sum(p.hands.values(), Counter(sapphire=p.track, amber=p.track)) + p.bag
        self.need(there == whole, f"track + bag + players = {whole.total()}, colour by colour")

    def _playoff(self, one: One) -> None:
        self._push("next")
        p, best = self.p, max(self._totals().values())
        self.need(one["players"] == [q for q in self.players if self._totals()[q] == best], "the tied play it off")
        self.need(len(one["players"]) > 1, "a tie is between two")
        p.tied, p.claims, p.turned, p.stopped = one["players"], [], 0, False
        p.starter = None if p.starter is None else self.left_of(p.starter, p.tied)

    def _final(self, one: One) -> None:
        scores, ranking = one["scores"], one["ranking"]
        flat = [p for group in ranking for p in group]
        self.need(sorted(flat) == sorted(scores), "everybody is ranked once")
        if self.edition is None:
            return
        self.need(scores == self._totals(), "the final scores are the last ones")
        edition, p = self.edition, self.p
        first = ranking[0]
        if p.tied:
            self.need(len(first) == 1 and first[0] in p.tied, "the playoff has one winner")
            self.need(p.claims is None or first == p.claims[:1], "who claimed first")
        else:
            self.need(all(scores[q] == max(scores.values()) for q in first), "most wins")
            self.need(len(first) == 1 or edition.ties == "shared", "a tie is played off or shared")
        rest = [scores[group[0]] for group in ranking[bool(p.tied) :]]
        self.need(rest == sorted(set(rest), reverse=True), "equals together, best first")
        target = edition.target is not None and max(scores.values()) >= edition.target
        stack = edition.chooser == "stacks" and 0 in p.stacks
        self.need(p.round == edition.rounds or target or stack, "the match ends when it ends")
