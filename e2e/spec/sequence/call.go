// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"slices"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
)

// call is one request, which may be sent several times.
type call struct {
	send func(ctx context.Context) answer
	// request is the request that is sent; nil for a look.
	request any
	// late holds the effects that the driver may show later. There are none for a call whose first answer counts.
	late []late
	// volume is the volume that the call may change; nil if there is none.
	volume *volume
	// snapshot is the snapshot that is taken or deleted; nil if there is none.
	snapshot *snapshot
	// shares reports that the volume may share blocks with snapshots or with copies.
	shares bool
}

// late is an effect that a driver may need some time to show, with a function that reports whether an answer does not
// show it yet.
type late struct {
	effect effect.Effect
	in     func(answer) bool
}

// answer is the answer to a call.
type answer struct {
	err error
	// judge judges the answer by the state that the sequence knows, and updates this state.
	judge func(ctx context.Context) outcome
	// broken and regretted report faults that a look has found.
	broken, regretted bool
}

// callOf makes a call from a client's method and a function that judges its answer.
func callOf[Request, Options, Response any](
	method func(context.Context, Request, ...Options) (Response, error), request Request,
	judge func(ctx context.Context, response Response, err error) outcome,
) call {
	return call{request: request, send: func(ctx context.Context) answer {
		response, err := method(ctx, request)
		return answer{err: err, judge: func(ctx context.Context) outcome { return judge(ctx, response, err) }}
	}}
}

// of marks the call as one that may change the volume.
func (c call) of(v *volume) call {
	c.volume = v
	return c
}

// needing is like of, for a call that needs the volume to exist. If the volume was deleted, an answer that still knows
// it may be outdated.
func (c call) needing(v *volume) call {
	if !v.exists {
		c.late = []late{{effect.Gone, func(a answer) bool { return a.err == nil }}}
	}
	return c.of(v)
}

// lookOf makes a call that changes nothing from a function that looks and judges the result. If the result is wrong, the
// driver may need more time.
func lookOf(look func(ctx context.Context) (outcome, error)) call {
	return call{
		send: func(ctx context.Context) answer {
			o, err := look(ctx)
			return answer{err, func(context.Context) outcome { return o }, len(o.broken) > 0, len(o.regretted) > 0}
		},
		late: []late{
			{effect.Sequence, func(a answer) bool { return a.broken }},
			{effect.NoRegret, func(a answer) bool { return a.regretted }},
		},
	}
}

// one makes a call, and judges its answer.
func (s *sequence) one(ctx context.Context, c call) outcome {
	return s.settled(ctx, c, c.send(ctx)).judge(ctx)
}

// settled returns the answer to the call once the driver has had its time.
func (s *sequence) settled(ctx context.Context, c call, got answer) answer {
	if s.hasty {
		return got
	}
	for _, late := range c.late {
		if late.in(got) {
			s.driver.Settled(ctx, late.effect, func() bool {
				got = c.send(ctx)
				return !late.in(got)
			})
		}
	}
	return got
}

// atOnce makes calls of different volumes at the same time. Each is judged as if it were alone, except for the
// available room, which depends on the others.
func (s *sequence) atOnce(ctx context.Context, all []call) outcome {
	answers := sendTogether(ctx, all)
	s.together = true
	defer func() { s.together = false }()
	var outcomes []outcome
	for i, c := range all {
		s.mustBeAnswered(answers[i].err)
		outcomes = append(outcomes, s.settled(ctx, c, answers[i]).judge(ctx))
	}
	return merged("at the same time:", outcomes)
}

// twice makes a call twice at the same time, as a CO does that has lost its state, and then once more. The successful
// calls are judged as if one had come after the other. A pending call may make the other one ABORTED, which is
// repeated; any other failure is a warning if the request can succeed.
func (s *sequence) twice(ctx context.Context, c call) outcome {
	answers := sendTogether(ctx, []call{c, c})
	s.together = true
	var all []outcome
	for _, got := range answers {
		s.mustBeAnswered(got.err)
		if got.err == nil {
			all = append(all, got.judge(ctx))
		}
	}
	s.together = false
	if o := merged("twice at the same time:", all); len(o.broken) > 0 || o.lost || c.isLost() {
		return o
	}
	last := s.settled(ctx, c, c.send(ctx))
	for _, got := range answers {
		if got.err != nil && (len(all) > 0 || last.err == nil) {
			all = append(all, s.ungraceful(got.err))
		}
	}
	all = append(all, last.judge(ctx))
	return merged("twice at the same time, and then once more:", all)
}

// cutShort gives a call up until an answer comes in time, as a CO does whose deadlines are too short, and then makes it
// once more.
func (s *sequence) cutShort(ctx context.Context, c call) outcome {
	var first answer
	_, _ = calls.GiveUp(ctx, func(ctx context.Context) error {
		first = c.send(ctx)
		return first.err
	})
	var all []outcome
	if first.err == nil {
		all = append(all, first.judge(ctx))
	}
	if o := merged("given up, and repeated:", all); len(o.broken) > 0 || c.isLost() {
		return o
	}
	last := s.settled(ctx, c, c.send(ctx))
	if first.err != nil && last.err == nil {
		all = append(all, s.ungraceful(first.err))
	}
	return merged("given up, repeated, and then once more:", append(all, last.judge(ctx)))
}

// isLost reports whether the state of the call's volume is no longer known.
func (c call) isLost() bool { return c.volume != nil && c.volume.forgotten }

// ungraceful returns the outcome of a call that failed because of another call for the same volume.
func (s *sequence) ungraceful(err error) outcome {
	o := outcomeOf("the same", err)
	if code := status.Code(err); code != codes.ResourceExhausted || s.room.counted {
		o.regret("GEN-02", "one of two concurrent calls for a volume may be ABORTED: no other code tells the CO to try again")
	}
	return o
}

// sendTogether makes the calls at the same time. It repeats calls with ABORTED and other answers that ask for a
// repetition.
func sendTogether(ctx context.Context, all []call) []answer {
	tolerant := attempt.Tolerant(ctx) // only the goroutine of the case may end the case, so a call must not
	answers := make([]answer, len(all))
	together := make(chan struct{})
	var sending sync.WaitGroup
	for i, c := range all {
		sending.Go(func() {
			<-together
			answers[i] = c.send(tolerant)
		})
	}
	close(together)
	sending.Wait()
	return answers
}

// mustBeAnswered ends the case if a concurrent call has no answer to judge. While a failing plan is made shorter, it
// only ends the attempt.
func (s *sequence) mustBeAnswered(err error) {
	if !s.hasty {
		attempt.MustBeAnswered(err)
	}
}

// volumesOf returns the volumes that the calls may have changed.
func volumesOf(all []call) []*volume {
	var volumes []*volume
	for _, c := range all {
		if c.volume != nil && !slices.Contains(volumes, c.volume) {
			volumes = append(volumes, c.volume)
		}
	}
	return volumes
}
