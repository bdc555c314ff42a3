// SPDX-License-Identifier: Apache-2.0

package calls

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// CutShort makes a call as a CO does that is restarted, or whose deadlines are too short (GEN-07): it gives the call up
// as soon as the request is sent, repeats it with a longer deadline, and so on until an answer comes in time. Then it
// makes the call once more, as a CO does that has lost the answer. It returns the OK answers in the order of the calls,
// and the error of the last call: a repeated call continues where it left off, and is idempotent.
//
// A call that is refused at first is repeated until the driver has had time to settle. If it succeeds then, CutShort
// warns: a CO may take the refusal for final (GEN-02). The number of calls that were given up is evidence. If the
// driver answered before the first call could be given up, the case is reduced.
//
//	answers, err := calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.CreateVolumeResponse, error) {
//		return driver.Controller.CreateVolume(ctx, request)
//	})
func CutShort[Response any](ctx context.Context, driver *harness.Driver, call func(ctx context.Context) (Response, error)) (answers []Response, err error) {
	kept := func(ctx context.Context) error {
		response, err := call(ctx)
		if err == nil {
			answers = append(answers, response)
		}
		return err
	}
	cut, refused := GiveUp(ctx, kept)
	suite.Evidence(ctx, "calls given up", cut)
	if cut == 0 {
		suite.Reduced(ctx, "no call was cut short: the driver answered before the first could be given up")
	}
	switch {
	case status.Code(refused) == codes.ResourceExhausted:
		return answers, refused
	case refused != nil && !driver.Settled(ctx, effect.Repetition(fmt.Sprintf("%T", *new(Response))), func() bool { return kept(attempt.Tolerant(ctx)) == nil }):
		return answers, refused
	case refused != nil:
		suite.Warn(ctx, "GEN-02", "a call that was cut short was refused when it was repeated, and OK later: %s\nABORTED tells the CO to wait", describe.Status(refused))
	}
	return answers, kept(ctx)
}

// GiveUp gives the call up and repeats it. It returns how many calls it gave up, and how the call ended that was
// answered in time. If no call is answered within seconds, it makes the call like any other.
func GiveUp(ctx context.Context, call func(ctx context.Context) error) (cut int, err error) {
	const (
		atOnce            = 0
		shortest, longest = 100 * time.Microsecond, 2 * time.Second
		factor            = 4
	)
	for limit := time.Duration(atOnce); limit <= longest; limit = max(shortest, factor*limit) {
		late, err := GiveUpAfter(ctx, limit, call)
		switch {
		case ctx.Err() != nil:
			return cut, call(ctx)
		case late:
			cut++
		case err == nil || !statuses.MayPass(status.Code(err)):
			return cut, err
		}
	}
	return cut, call(ctx)
}

// GiveUpAfter makes a call once, and gives it up after the limit: then late is true. Without a limit, it gives the call
// up as soon as the request is sent.
func GiveUpAfter(ctx context.Context, limit time.Duration, call func(ctx context.Context) error) (late bool, err error) {
	const unsent = time.Millisecond // the limit if the connection does not report when a request is sent
	short, cancel := context.WithTimeout(attempt.Once(attempt.Tolerant(ctx)), cmp.Or(limit, unsent))
	defer cancel()
	if limit == 0 {
		short = wire.WhenSent(short, cancel)
	}
	err = call(short)
	// An answer that came while the request was being given up came too late. And a driver may see the deadline pass
	// before this process does.
	late = short.Err() != nil && (err != nil || limit == 0) || status.Code(err) == codes.DeadlineExceeded
	return late, err
}
