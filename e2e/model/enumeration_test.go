package model

import (
	"math/bits"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
)

// TestAgainstEnumeration asks every request over three segments in every world of them, and compares with a reading of
// the specification on bit sets that shares nothing with the package.
func TestAgainstEnumeration(t *testing.T) {
	segments := zones("Z2 Z3 Z4")
	const every = 1 << 3
	for _, preferred := range permutations(every) {
		for requisite := range every {
			for full := range every {
				for x := 1; x <= 3; x++ {
					compare(t, segments, x, requisite, preferred, full)
				}
			}
		}
	}
}

func compare(t *testing.T, segments Set, x, requisite int, preferred []int, full int) {
	t.Helper()
	var w World
	for i, segment := range segments {
		w = append(w, Place{Segment: segment, Room: int64(1 - full>>i&1)})
	}
	asked := Request{X: x, Bytes: 1, Requisite: subset(segments, requisite)}
	outside := false
	for _, p := range preferred {
		asked.Preferred = append(asked.Preferred, segments[p])
		outside = outside || requisite != 0 && requisite>>p&1 == 0
	}
	a := AnswersTo(asked, w)
	possible := false
	for answered := range 1 << len(segments) {
		want := Forbidden
		if fits(x, requisite, preferred, full, answered) {
			possible = true
			want = Allowed
			if outside {
				want = Discouraged
			}
		}
		got := a.Judge(Answer{Code: codes.OK, Segments: subset(segments, answered)}).Grade
		if requisite == 0 && len(preferred) == 0 {
			// The driver is free in how many segments it takes.
			want = Forbidden
			if answered != 0 && answered&full == 0 {
				want = Allowed
			}
		}
		if got != want {
			t.Fatalf("%s, world: %s, answered %s: got grade %d, want %d", asked, w, subset(segments, answered), got, want)
		}
	}
	refused := a.Judge(Answer{Code: codes.ResourceExhausted}).Grade
	if refusable := refused == Allowed; refusable == possible {
		t.Fatalf("%s, world: %s: RESOURCE_EXHAUSTED is graded %d, though possible is %v", asked, w, refused, possible)
	}
}

// fits is the specification on bit sets: the answered set has x segments, all with room, obeys requisite, and no other
// such set serves the order of preferred better.
func fits(x, requisite int, preferred []int, full, answered int) bool {
	obeys := func(set int) bool {
		if bits.OnesCount(uint(set)) != x || set&full != 0 {
			return false
		}
		n := bits.OnesCount(uint(requisite))
		if x <= n {
			return set&^requisite == 0
		}
		return requisite&^set == 0
	}
	// weight is larger the earlier the preferred segments are that the set has.
	weight := func(set int) int {
		sum := 0
		for rank, p := range preferred {
			sum += (set >> p & 1) << (len(preferred) - rank)
		}
		return sum
	}
	if !obeys(answered) {
		return false
	}
	for other := range 1 << 3 {
		if obeys(other) && weight(other) > weight(answered) {
			return false
		}
	}
	return true
}

func subset(segments Set, mask int) Set {
	var chosen Set
	for i, segment := range segments {
		if mask>>i&1 == 1 {
			chosen = append(chosen, segment)
		}
	}
	return chosen
}

// permutations are all orders of all subsets of the three segments.
func permutations(every int) [][]int {
	orders := [][]int{nil}
	for i := 0; i < len(orders); i++ {
		for next := range bits.Len(uint(every - 1)) {
			if !slices.Contains(orders[i], next) {
				orders = append(orders, append(slices.Clone(orders[i]), next))
			}
		}
	}
	return orders
}
