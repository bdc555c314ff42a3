# SPDX-License-Identifier: Apache-2.0

"""Tests vectors.py: `python3 -m unittest vectors_test` in this directory."""

import unittest

import vectors


class VectorsTest(unittest.TestCase):
    def setUp(self):
        self.vectors = vectors.Vectors("example.com/")
        self.by_id = {vector["id"]: vector for vector in self.vectors}

    def zone(self, name):
        return {"example.com/region": "R1", "example.com/zone": name}

    def test_judges_the_second_example(self):
        vector = self.by_id["T-PF-2b"]  # Z4 and Z2 are preferred, and Z4 is full
        for verdict, topologies, code in (
            (vectors.ALLOWED, [self.zone("Z2")], "OK"),
            (vectors.ALLOWED, [{"example.com/zone": "Z2"}], "OK"),  # no other segment has the zone
            (vectors.DISCOURAGED, [], "OK"),
            (vectors.DISCOURAGED, [{"example.com/region": "R1"}], "OK"),
            (vectors.FORBIDDEN, [self.zone("Z4")], "OK"),
            (vectors.FORBIDDEN, [self.zone("Z3")], "OK"),
            (vectors.FORBIDDEN, [self.zone("Z2"), self.zone("Z2")], "OK"),
            (vectors.FORBIDDEN, [{"region": "R1", "zone": "Z2"}], "OK"),
            (vectors.FORBIDDEN, [], "RESOURCE_EXHAUSTED"),
            (vectors.FORBIDDEN, [], "INTERNAL"),
        ):
            with self.subTest(topologies=topologies, code=code):
                self.assertEqual(self.vectors.judge(vector, topologies, code), verdict)

    def test_judges_what_is_full(self):
        vector = self.by_id["T-EQ-2F"]
        self.assertEqual(self.vectors.judge(vector, code="RESOURCE_EXHAUSTED"), vectors.ALLOWED)
        self.assertEqual(self.vectors.judge(vector, [self.zone("Z2"), self.zone("Z3")]), vectors.FORBIDDEN)

    def test_judges_two_topologies_in_any_order(self):
        vector = self.by_id["T-EQ-2"]
        self.assertEqual(self.vectors.judge(vector, [self.zone("Z3"), self.zone("Z2")]), vectors.ALLOWED)

    def test_accepts_every_answer_that_it_lists(self):
        for vector in self.vectors:
            for verdict, answers in ((vectors.ALLOWED, vector["allowed"]), (vectors.DISCOURAGED, vector.get("discouraged", {}))):
                for names in answers.get("volumes", []):
                    self.assertEqual(self.vectors.judge(vector, self.vectors.named(names)), verdict, vector["id"])
                for code in answers.get("codes", []):
                    self.assertEqual(self.vectors.judge(vector, code=code), verdict, vector["id"])

    def test_reads_what_is_asked(self):
        vector = self.by_id["T-PF-1b"]
        self.assertEqual(len(self.vectors.segments(vector)), 4)
        self.assertEqual(self.vectors.full(vector), [self.zone("Z3")])
        self.assertEqual(self.vectors.requirement(vector), ([self.zone("Z2"), self.zone("Z3")], [self.zone("Z3")]))
        self.assertEqual(self.vectors.existing(self.by_id["T-ID-2"]), [self.zone("Z2")])
        self.assertIsNone(self.vectors.requirement(self.by_id["T-NR"]))
        self.assertEqual(self.vectors.requirement(self.by_id["T-BAD-2"]), ([], []))


if __name__ == "__main__":
    unittest.main()
