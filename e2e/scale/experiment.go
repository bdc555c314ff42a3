// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"
)

// Experiment compares versions of a component under one load.
type Experiment struct {
	// Name is what --focus selects by, and Question what it answers, as a sentence without its full stop.
	Name, Question string
	// Versions of csi-provisioner.
	Versions []string
	// Long says that it takes so long that it runs only when it is named.
	Long bool

	// columns are what is measured, and run measures it once for a version.
	columns []column
	run     func(ctx context.Context, world *world) (figures, error)
}

// column is something that is measured.
type column string

// figures are what a run measured. A column without a figure was not reached in the time that the run has for it.
type figures map[column]float64

// Experiments returns all of them.
func Experiments() []Experiment {
	versions := []string{"v5.3.0", "v6.3.0", "v6.4.0"}
	newest := versions[len(versions)-1:]
	short := queue{segments: 200, classes: 2, takes: 10 * time.Millisecond, poll: 2 * time.Second, qps: 50, lasts: time.Minute}
	defaults := queue{segments: 200, classes: 2, takes: 300 * time.Millisecond, poll: time.Minute, qps: 1, lasts: 7 * time.Minute}
	topolvm := queue{segments: 1840, classes: 2, takes: 20 * time.Millisecond, poll: time.Minute, qps: 1, lasts: 8 * time.Minute}
	return []Experiment{
		{
			Name:     "queue",
			Question: "How does csi-provisioner's queue grow if GetCapacity of everything takes longer than the poll interval? 200 segments, 2 StorageClasses, 10 ms for GetCapacity, a poll every 2 s for a minute",
			Versions: versions, columns: queueColumns, run: short.run,
		},
		{
			Name:     "queue-defaults",
			Question: "The same with the default poll interval of a minute and the default of 1 update a second, for 7 minutes; 300 ms for GetCapacity",
			Versions: versions, Long: true, columns: queueColumns, run: defaults.run,
		},
		{
			Name:     "topolvm-1201",
			Question: "What happens with 1,840 nodes and 2 StorageClasses, as in topolvm#1201? Defaults, 20 ms for GetCapacity, for 8 minutes",
			Versions: versions, Long: true, columns: queueColumns, run: topolvm.run,
		},
		published(100, newest, false),
		published(300, newest, false),
		published(1000, newest, true),
	}
}

// published returns the experiment on what is published of that many segments.
func published(segments int, versions []string, long bool) Experiment {
	return Experiment{
		Name:     fmt.Sprintf("objects-%d", segments),
		Question: fmt.Sprintf("How long does it take until the CSIStorageCapacity objects of %d segments and 2 StorageClasses are right, and are any there twice or too many? GetCapacity answers at once; 50 updates a second, a poll every 10 s", segments),
		Versions: versions, Long: long, columns: objectColumns, run: objects{segments: segments, classes: 2}.run,
	}
}

// Result is what a version showed in each turn.
type Result struct {
	Version string

	turns []figures
}

// Run runs all versions as often as turns says, in an order that the seed decides.
func (e Experiment) Run(ctx context.Context, programs Programs, turns int, seed uint64, out io.Writer) ([]Result, error) {
	results := make([]Result, len(e.Versions))
	var order []int
	for i, version := range e.Versions {
		results[i].Version = version
		order = append(order, slices.Repeat([]int{i}, turns)...)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for n, turn := range order {
		result := &results[turn]
		_, _ = fmt.Fprintf(out, "%s: csi-provisioner %s, run %d of %d\n", e.Name, result.Version, n+1, len(order))
		found, err := e.once(ctx, programs, result.Version)
		if err != nil {
			return nil, fmt.Errorf("experiment %s with csi-provisioner %s: %w", e.Name, result.Version, err)
		}
		result.turns = append(result.turns, found)
	}
	return results, nil
}
