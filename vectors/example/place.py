# SPDX-License-Identifier: Apache-2.0

"""A driver's choice of topologies. docs/vectors.md shows its test by the vectors."""


def place(segments, has_room, requisite, preferred, x):
    """Returns the x segments that a volume goes to and OK, or none and the gRPC code of the error."""
    requisite, preferred = fold(requisite), fold(preferred)
    if {} in requisite + preferred or requisite and any(topology not in requisite for topology in preferred):
        return [], "INVALID_ARGUMENT"
    required = expand(segments, requisite)
    attempts = expand(segments, preferred) + required
    if x > len(required):
        attempts += segments
    chosen = []
    for topology in attempts:
        if len(chosen) < x and topology in segments and has_room(topology) and topology not in chosen:
            chosen.append(topology)
    if len(chosen) < x or x >= len(required) and any(topology not in chosen for topology in required):
        return [], "RESOURCE_EXHAUSTED"
    return chosen, "OK"


def expand(segments, topologies):
    """Returns the segments that the topologies stand for, each once, and the topologies that stand for none."""
    found = []
    for topology in topologies:
        meant = [segment for segment in segments if topology.items() <= segment.items()]
        for segment in meant or [topology]:
            if segment not in found:
                found.append(segment)
    return found


def fold(topologies):
    """Returns the topologies with lower-case keys, as those of the segments are: keys are case-insensitive."""
    return [{key.lower(): value for key, value in topology.items()} for topology in topologies]
