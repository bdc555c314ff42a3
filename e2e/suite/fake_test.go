// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"strings"
	"time"
)

// stage is a tier whose cases work with their own id.
type stage struct {
	cleanUp func(ctx context.Context, id string) // nil removes nothing
}

func (stage) Open(_ context.Context, c Case[string]) string { return c.ID }

func (stage) Perform(ctx context.Context, c Case[string], id string) {
	c.Meet(ctx, id)
	c.Run(ctx, id)
}

func (s stage) CleanUp(ctx context.Context, id string, _ *Outcome) {
	if s.cleanUp != nil {
		s.cleanUp(ctx, id)
	}
}

// guest is a suite where each case requested runs by run.
type guest struct {
	run func(ctx context.Context, id string, watch Watcher)
}

func (guest) List(context.Context) ([]Listed, error) { return guests(), nil }

func (g guest) Run(ctx context.Context, ids []string, watch Watcher) {
	for _, id := range ids {
		g.run(ctx, id, watch)
	}
}

func guests() []Listed {
	return []Listed{NewListed("G-1", "guest", "runs", nil), NewListed("G-2", "guest", "runs", nil)}
}

func alone() []Need[string] { return []Need[string]{{Alone: true}} }

// takes takes a second of fake time, as the body of a case.
func takes(context.Context, string) { time.Sleep(time.Second) } //nolint:forbidigo // on fake time

// byName looks up a register where an id begins with its level, or with K8S- for a MUST of the
// platform.
func byName(id string) (level, grades string, ok bool) {
	if strings.HasPrefix(id, "K8S-") {
		return "MUST", "platform", true
	}
	level, _, _ = strings.Cut(id, "-")
	return level, "vendor", level == "MUST" || level == "SHOULD" || level == "MAY"
}
