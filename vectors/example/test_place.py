# SPDX-License-Identifier: Apache-2.0

import unittest

import vectors
from place import place


class PlaceTest(unittest.TestCase):
    def test_place(self):
        file = vectors.Vectors()  # or the prefix of your keys, such as "topology.example.com/"
        for vector in file:
            if file.existing(vector):
                continue  # place does not look up names
            full = file.full(vector)
            requisite, preferred = file.requirement(vector) or ([], [])
            got, code = place(file.segments(vector), lambda segment: segment not in full, requisite, preferred, vector["x"])
            with self.subTest(vector=vector, got=got, code=code):
                self.assertNotEqual(file.judge(vector, got, code), vectors.FORBIDDEN)
