package generated

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// explain says what failed, by a part of the plan of which nothing can be left out; where no part fails again, by all that
// was asked.
func explain(ctx context.Context, seed int64, plan []Step, run *sequence) string {
	found := fmt.Sprintf("the answer contradicts the specification: %s\nfound by step %d of %d, with seed %d", run.failure(), run.taken, len(plan), seed)
	a := &attempts{under: run.under, waived: run.waived, comparesRoom: run.failure().Clause == roomClause, end: time.Now().Add(attemptsEnd)}
	shorter, finished := a.shrink(ctx, plan[:run.taken])
	if len(shorter) == 0 {
		return fmt.Sprintf("%s\n%s; all that was asked:\n%s", found, a.notAgain(), run)
	}
	shown := a.carryOut(ctx, shorter)
	if shown == nil || shown.failure() == (model.Reason{}) {
		return fmt.Sprintf("%s\n%s; all that was asked:\n%s", found, a.notAgain(), run)
	}
	of := fmt.Sprintf("%d steps show it, none of which can be left out", len(shorter))
	if !finished {
		of = fmt.Sprintf("%d steps show it, and perhaps fewer do: there was no more time than for %d attempts", len(shorter), a.made)
	}
	return fmt.Sprintf("%s\n%s, on a driver with nothing else of the case's:\n%s", found, of, shown)
}

// notAgain says why there is no shorter sequence.
func (a *attempts) notAgain() string {
	if a.stuck != nil {
		return fmt.Sprintf("it could not be tried again, as what was made could not be removed: %v", a.stuck)
	}
	return "the same requests, once everything was removed, did not fail again: the driver is not deterministic, or keeps something of what is removed"
}

// String is the sequence in numbered steps: what was asked and answered, and of the last one what was allowed.
func (s *sequence) String() string {
	var steps []string
	for i, o := range s.done {
		text := fmt.Sprintf("%d. %s", i+1, o.asked)
		if i == len(s.done)-1 {
			text = fmt.Sprintf("%d. %s", i+1, o)
		} else {
			text += "\nanswered: " + o.answered
		}
		steps = append(steps, strings.ReplaceAll(text, "\n", "\n   "))
	}
	return strings.Join(steps, "\n")
}

// String is the step with all that its answer was judged by.
func (o outcome) String() string {
	text := o.asked
	if o.state != "" {
		text += "\n" + strings.TrimPrefix(o.state, "\n")
	}
	text += "\nallowed:\n" + o.allowed + "\nanswered: " + o.answered
	for _, reason := range o.broken {
		text += "\nwhich is forbidden: " + reason.String()
	}
	for _, reason := range o.regretted {
		text += "\nwhich users will regret: " + reason.String()
	}
	return text
}

// regrets are the answers that no MUST forbids and users will regret, the first for each clause.
func (s *sequence) regrets() []string {
	var found []string
	seen := map[string]bool{}
	for _, o := range s.done {
		if len(o.regretted) > 0 && !seen[o.regretted[0].Clause] {
			seen[o.regretted[0].Clause] = true
			found = append(found, o.String())
		}
	}
	return found
}
