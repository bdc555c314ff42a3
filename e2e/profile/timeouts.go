// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"cmp"
	"fmt"
	"time"
)

// Timeouts limit every wait of a run, in durations such as 90s or 2m. A timeout of 0 has its default, which
// `csi-topo spec --help` prints.
type Timeouts struct {
	// Provision limits a call that creates, deletes, publishes, stages, expands or modifies something, with all of its
	// repetitions while the driver answers ABORTED, DEADLINE_EXCEEDED or UNAVAILABLE, or RESOURCE_EXHAUSTED although
	// nothing can be full; and how long a program of exhaust takes.
	Provision time.Duration `yaml:"provision"`
	// Query limits a call that only asks, with its repetitions; and how long a program of directories takes.
	Query time.Duration `yaml:"query"`
	// Refusal limits how long a call is repeated if it is answered ABORTED, DEADLINE_EXCEEDED or UNAVAILABLE though the
	// driver should refuse it with another code, such as attaching a volume to a second node; then its last answer is
	// judged. It also limits a call to a node for a volume that does not exist, because the driver may wait for the volume.
	// If twice the time of the slowest call is longer, that is the limit.
	Refusal time.Duration `yaml:"refusal"`
	// SnapshotReady limits how long a snapshot takes until it is ready to use.
	SnapshotReady time.Duration `yaml:"snapshotReady"`
	// Settle limits how long capacity and lists take to show a creation or a deletion.
	Settle time.Duration `yaml:"settle"`
	// Cleanup limits the removal of everything that one case made.
	Cleanup time.Duration `yaml:"cleanup"`
	// Restart limits how long the driver takes to answer again after its process ended, and to be ready when a run begins;
	// and the time of the program that restarts it.
	Restart time.Duration `yaml:"restart"`
	// Generated limits the case of generated requests and each of the cases combinations_*, and their search for fewer
	// requests that show a failure.
	Generated time.Duration `yaml:"generated"`
}

// DefaultTimeouts returns timeouts for a driver that provisions over a network, with a service that limits rates. A
// driver that answers at once waits for none of them.
func DefaultTimeouts() Timeouts {
	return Timeouts{
		Provision:     5 * time.Minute,
		Query:         time.Minute,
		Refusal:       20 * time.Second,
		SnapshotReady: 10 * time.Minute,
		Settle:        10 * time.Second,
		Cleanup:       5 * time.Minute,
		Restart:       30 * time.Second,
		Generated:     time.Minute,
	}
}

// Or returns the timeouts, with the value of other for each timeout that is 0.
func (t Timeouts) Or(other Timeouts) Timeouts {
	return Timeouts{
		Provision:     cmp.Or(t.Provision, other.Provision),
		Query:         cmp.Or(t.Query, other.Query),
		Refusal:       cmp.Or(t.Refusal, other.Refusal),
		SnapshotReady: cmp.Or(t.SnapshotReady, other.SnapshotReady),
		Settle:        cmp.Or(t.Settle, other.Settle),
		Cleanup:       cmp.Or(t.Cleanup, other.Cleanup),
		Restart:       cmp.Or(t.Restart, other.Restart),
		Generated:     cmp.Or(t.Generated, other.Generated),
	}
}

// Scaled returns each of the timeouts multiplied by the factor.
func (t Timeouts) Scaled(factor float64) Timeouts {
	for _, limit := range []*time.Duration{&t.Provision, &t.Query, &t.Refusal, &t.SnapshotReady, &t.Settle, &t.Cleanup, &t.Restart, &t.Generated} {
		*limit = time.Duration(float64(*limit) * factor)
	}
	return t
}

func (p Profile) validateTimeouts() []problem {
	var found []problem
	for _, limit := range []struct {
		name  string
		value time.Duration
	}{
		{"provision", p.Timeouts.Provision},
		{"query", p.Timeouts.Query},
		{"refusal", p.Timeouts.Refusal},
		{"snapshotReady", p.Timeouts.SnapshotReady},
		{"settle", p.Timeouts.Settle},
		{"cleanup", p.Timeouts.Cleanup},
		{"restart", p.Timeouts.Restart},
		{"generated", p.Timeouts.Generated},
	} {
		if limit.value < 0 {
			found = append(found, problem{[]any{"timeouts", limit.name}, fmt.Sprintf("%s is %s: want a positive duration, such as 90s or 2m", limit.name, limit.value)})
		}
	}
	return found
}
