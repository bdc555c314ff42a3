# SPDX-License-Identifier: Apache-2.0

"""Checks the choice of topologies of a CSI driver by vectors.json, which has requests and the answers that the CSI
specification allows. It needs only the standard library of Python 3. docs/vectors.md describes how to use it.

A topology is a dict of keys and values. A vector is a dict, as vectors.schema.json describes it, and names topologies."""

import json
import os

FORBIDDEN = "forbidden"  # contradicts a MUST or SHALL
DISCOURAGED = "discouraged"  # contradicts no MUST, but users will regret it
ALLOWED = "allowed"  # is as asked


class Vectors:
    """The vectors of a file, with a prefix before each key of a topology, such as "topology.example.com/"."""

    def __init__(self, prefix="", path=os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors.json")):
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        self.vectors = content["vectors"]
        self._topologies = {
            name: {prefix + key: value for key, value in topology.items()}
            for name, topology in content["topologies"].items()
        }

    def __iter__(self):
        return iter(self.vectors)

    def named(self, names):
        """Returns the topologies with these names, each as a new dict."""
        return [dict(self._topologies[name]) for name in names or []]

    def segments(self, vector):
        """Returns the topologies that the driver's nodes report."""
        return self.named(vector["segments"])

    def full(self, vector):
        """Returns the segments that have no room for the volume."""
        return self.named(vector.get("full"))

    def existing(self, vector):
        """Returns the topologies of the volume that has the name already; none if the name is new."""
        return self.named(vector.get("existing"))

    def requirement(self, vector):
        """Returns requisite and preferred, or None if the request has no accessibility_requirements."""
        requirement = vector.get("requirement")
        if requirement is None:
            return None
        return self.named(requirement.get("requisite")), self.named(requirement.get("preferred"))

    def judge(self, vector, topologies=(), code="OK"):
        """Returns what the specification says of a volume that is accessible from the topologies, or of another code, such
        as RESOURCE_EXHAUSTED. The order of topologies means nothing, and one with fewer keys than the segments is read as
        the segment that it stands for, if there is only one."""
        segments = self.segments(vector)
        whole = [_whole(segments, topology) for topology in topologies]
        if self._has(vector["allowed"], whole, code):
            return ALLOWED
        if self._has(vector.get("discouraged", {}), whole, code):
            return DISCOURAGED
        return FORBIDDEN

    def _has(self, answers, topologies, code):
        """Tells whether the answer is one of these."""
        if code != "OK":
            return code in answers.get("codes", [])
        return any(_same(self.named(names), topologies) for names in answers.get("volumes", []))


def _whole(segments, topology):
    """Returns the segment that the topology stands for, if there is only one, and else the topology."""
    meant = [segment for segment in segments if topology and topology.items() <= segment.items()]
    return meant[0] if len(meant) == 1 else topology


def _same(wanted, got):
    """Tells whether both lists have the same topologies. The wanted ones are unique."""
    return len(wanted) == len(got) and all(topology in got for topology in wanted)
