// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math/rand/v2"
	"testing"
)

// vocabulary holds the topologies of fuzzed requirements: segments, which a small world may lack, terms with fewer keys,
// with more and with other letters than a segment has, and topologies that never exist.
var vocabulary = append(places[:],
	term{region: 1}, term{region: 2}, term{zone: 1}, term{zone: 2}, term{zone: 3},
	term{region: 9}, term{zone: 9}, term{region: 1, zone: 9}, term{region: 9, zone: 1}, term{region: 2, zone: 3},
	term{region: 1, zone: 1, rack: 1}, term{rack: 1}, term{region: 1, zone: 2, upper: true}, term{zone: 1, upper: true}, term{},
)

const (
	mostX    = 4
	mostAsks = 6
)

// questionOf reads a question from the bytes; missing bytes are 0.
func questionOf(data []byte) question {
	pick := func(n int) int {
		if len(data) == 0 {
			return 0
		}
		first := int(data[0])
		data = data[1:]
		return first % n
	}
	list := func(longest int) []term {
		var chosen []term
		for range pick(longest + 1) {
			// Half of the requested topologies are segments that may exist.
			from := vocabulary
			if pick(2) == 0 {
				from = places[:]
			}
			chosen = append(chosen, from[pick(len(from))])
		}
		return chosen
	}
	q := question{segments: 1 + pick(len(places)), backwards: pick(2) == 1, x: 1 + pick(mostX)}
	every := 1 << q.segments
	q.full = uint(pick(every))
	q.full &= uint(pick(every)) // most have room
	if pick(3) == 0 {
		q.existing = uint(pick(every))
	}
	q.requisite = list(mostAsks)
	if within := pick(4) > 0; within && len(q.requisite) > 0 {
		// As the specification requires, preferred is a part of requisite.
		for range pick(mostAsks + 1) {
			q.preferred = append(q.preferred, q.requisite[pick(len(q.requisite))])
		}
	} else {
		q.preferred = list(mostAsks)
	}
	q.empty = q.free() && pick(2) == 0
	if pick(3) > 0 {
		q.untold = uint(pick(every))
	}
	q.open = pick(2) == 1
	if pick(4) == 3 {
		q.x = 0
	}
	q.shares = pick(3) == 2
	return q
}

// FuzzAnswers looks for a question whose answers are graded differently by the reading on bit sets.
func FuzzAnswers(f *testing.F) {
	// Each number is a choice of questionOf, in its order.
	for _, seed := range [][]byte{
		{},                                 // one segment with room, x = 1, no requirement
		{4, 0, 1, 0, 0, 1},                 // five segments, x = 2, no requirement
		{4, 0, 0, 31, 31, 1, 1, 0, 0},      // all of them full
		{4, 1, 1, 0, 0, 1, 2, 0, 0, 0, 0},  // requisite that repeats a segment
		{4, 0, 0, 0, 0, 1, 2, 0, 0, 1, 10}, // a segment and a region that do not exist
		{4, 1, 1, 0, 0, 1, 2, 1, 5, 1, 6, 1, 2, 1, 0}, // two regions, preferred in another order
		{3, 0, 0, 0, 0, 0, 1, 1, 0, 1},                // a volume of the name exists, elsewhere
		{3, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1},       // preferred outside requisite
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { compare(t, questionOf(data)) })
}

// TestSampledQuestions checks random questions, the same in every run, over up to five segments.
func TestSampledQuestions(t *testing.T) {
	const (
		questions = 2500
		longest   = 40
	)
	random := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, longest)
	for range questions {
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		compare(t, questionOf(data))
	}
}
