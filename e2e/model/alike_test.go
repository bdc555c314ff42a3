// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"testing"

	"google.golang.org/grpc/codes"
)

// TestReducedWorldsJudgeAlike checks that the reduction of a world of many segments does not change the judgment of answers.
func TestReducedWorldsJudgeAlike(t *testing.T) {
	var w World
	for i := range 14 {
		room := Exactly(size)
		switch i % 5 {
		case 3:
			room = Exactly(0)
		case 4:
			room = Room{}
		}
		w.Places = append(w.Places, Place{Segment{"region": fmt.Sprint(i % 2), "zone": fmt.Sprint(i)}, room})
	}
	in := func(numbers ...int) Set {
		var set Set
		for _, i := range numbers {
			set = append(set, w.Places[i].Segment)
		}
		return set
	}
	var answers []Answer
	for i := range w.Places {
		answers = append(answers, Answer{Segments: in(i)})
		for j := range i {
			answers = append(answers, Answer{Segments: in(j, i)})
		}
	}
	answers = append(answers,
		Answer{}, Answer{Segments: Set{{"region": "1"}}}, Answer{Segments: Set{{"region": "0", "zone": "99"}}}, Answer{Segments: in(2, 2)},
		Answer{Code: codes.ResourceExhausted}, Answer{Code: codes.InvalidArgument}, Answer{Code: codes.Internal})
	for _, asked := range []Request{
		{}, {X: 1}, {X: 2}, {X: 2, Sharing: "region"},
		Request{X: 1}.Within(in(0, 3)...), Request{X: 2}.Within(in(3)...), Request{X: 2}.Within(in(12)...),
		Request{X: 2}.Within(in(0, 1, 2)...).Preferring(in(2, 1, 0)...), Request{X: 2}.Preferring(in(3, 13)...),
		Request{X: 1}.Within(Segment{"region": "1"}), Request{X: 1}.Within(Segment{"zone": "99"}),
	} {
		asked.Bytes = size
		whole := Answers{World: w, Asked: asked.of(max(asked.X, 1)), reduced: w}
		whole.list()
		whole.Asked = asked
		reduced := AnswersTo(asked, w)
		if len(reduced.reduced.Places) == len(w.Places) && asked.Sharing == "" {
			t.Errorf("%s: the world is not reduced", asked)
		}
		for _, got := range answers {
			a, b := whole.Judge(got), reduced.Judge(got)
			if a.Grade != b.Grade || len(a.Reasons) > 0 && a.Reasons[0].Clause != b.Reasons[0].Clause {
				t.Errorf("%s\ngot: %v %s\nin the reduced world: %s\nin the whole one: %s", asked, got.Code, got.Segments, b, a)
			}
		}
	}
}

// BenchmarkManySegments judges an answer in a world of 256 segments, which has millions of sets of three.
func BenchmarkManySegments(b *testing.B) {
	var w World
	for i := range 256 {
		w.Places = append(w.Places, Place{Segment{"region": "R1", "zone": fmt.Sprint(i)}, Exactly(size)})
	}
	got := Answer{Segments: Set{w.Places[200].Segment, w.Places[100].Segment, w.Places[0].Segment}}
	for b.Loop() {
		if finding := AnswersTo(Request{X: 3, Bytes: size}, w).Judge(got); finding.Grade != Allowed {
			b.Fatal(finding)
		}
	}
}
