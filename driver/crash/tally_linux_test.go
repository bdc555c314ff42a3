// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

// tally counts the cases that ran, by RPC and fault.
type tally struct {
	mu    sync.Mutex
	cases map[string]map[kind]int
}

func newTally() *tally { return &tally{cases: map[string]map[kind]int{}} }

func (c *tally) add(rpc string, k kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cases[rpc] == nil {
		c.cases[rpc] = map[kind]int{}
	}
	c.cases[rpc][k]++
}

// String returns a table of RPCs and faults, with the sums in its last line and column.
func (c *tally) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "crash cases")
	for _, k := range kinds() {
		fmt.Fprintf(table, "\t%s", k)
	}
	fmt.Fprintln(table, "\tall")
	row := func(name string, cases map[kind]int) {
		sum := 0
		fmt.Fprint(table, name)
		for _, k := range kinds() {
			fmt.Fprintf(table, "\t%d", cases[k])
			sum += cases[k]
		}
		fmt.Fprintf(table, "\t%d\n", sum)
	}
	sums := map[kind]int{}
	for _, rpc := range slices.Sorted(maps.Keys(c.cases)) {
		row(rpc, c.cases[rpc])
		for k, count := range c.cases[rpc] {
			sums[k] += count
		}
	}
	row("all", sums)
	_ = table.Flush() // writing to a strings.Builder cannot fail
	return text.String()
}
