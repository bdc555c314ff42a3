// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/sequence/covering"
)

// The dimensions of a volume's life, by their index in a row.
const (
	access = iota
	kind
	origin
	size
	form
	asked
	company
	used
	grown
	copied
	where
	restarted
)

// dimension is one of the conditions under which answers are judged. value is one of its values.
type dimension struct {
	name   string
	values []value
}

type value struct {
	name string
	// had reports whether drivers of the shape have it; nil means all of them.
	had func(Shape) bool
}

// The values that the plans ask for by name.
const (
	asOne, asDevice, asPods, asShared, asSharedDevice        = "file system", "block device", "file system of several pods", "file system of several nodes", "block device of several nodes"
	created, restored, cloned, orphan                        = "created", "restored", "cloned", "restored, its source deleted"
	unitSize, oddSize, exactSize, doubleSize                 = "usual size", "odd size", "limit as required", "double size"
	anywhere, exactly, oneMore, preferredAlone               = "anywhere", "as many topologies as needed", "one topology more than needed", "preferred alone"
	usualName, longestName, otherCase                        = "usual name", "longest name", "name of another in another case"
	askedOnce, askedTwice, cutShort                          = "asked once", "asked twice at once", "asked and given up"
	alone, beside, among                                     = "alone", "beside another on the node", "among others"
	unused, mounted, atTwoPaths, readOnly, moved, onTwoNodes = "not used", "used", "at two paths", "read-only", "moved to another node", "on two nodes"
	neverGrown, grownBefore, grownWhile, grownAfter          = "not grown", "grown before use", "grown while used", "grown after use"
	notCopied, snapshotted, snapshottedInUse, copiedByClone  = "not copied", "a snapshot", "a snapshot while used", "a clone"
	neverRestarted, restartedInUse, restartedAfterwards      = "no restart", "restart while used", "restart afterwards"
)

// dimensions returns the conditions as data. The covering array contains each pair of them, so the combinations are not
// written down.
func dimensions() []dimension {
	use := func(u Use) func(Shape) bool {
		return func(s Shape) bool { return slices.Contains(s.Uses, u) }
	}
	nodes := func(n int) func(Shape) bool { return func(s Shape) bool { return s.Nodes >= n } }
	segments := func(n int) func(Shape) bool { return func(s Shape) bool { return s.Segments >= n } }
	kindOf := func(x int) func(Shape) bool { return func(s Shape) bool { return slices.Contains(s.Kinds, x) } }
	snapshots := func(s Shape) bool { return s.Snapshots }
	clones := func(s Shape) bool { return s.Clones }
	grows := func(s Shape) bool { return s.Grow }
	restarts := func(s Shape) bool { return s.Restart }
	pods := func(s Shape) bool { return s.Pods }
	return []dimension{
		{"access", []value{{asOne, nil}, {asDevice, use(Device)}, {asPods, pods}, {asShared, use(Shared)}, {asSharedDevice, use(SharedDevice)}}},
		{"topologies", []value{{"1", kindOf(1)}, {"2", kindOf(2)}, {"3", kindOf(3)}}},
		{"origin", []value{{created, nil}, {restored, snapshots}, {cloned, clones}, {orphan, snapshots}}},
		{"size", []value{{unitSize, nil}, {oddSize, nil}, {exactSize, nil}, {doubleSize, nil}}},
		{"name", []value{{usualName, nil}, {longestName, nil}, {otherCase, nil}}},
		{"order", []value{{askedOnce, nil}, {askedTwice, nil}, {cutShort, nil}}},
		{"company", []value{{alone, nil}, {beside, nodes(1)}, {among, nil}}},
		{"use", []value{{unused, nil}, {mounted, nodes(1)}, {atTwoPaths, nodes(1)}, {readOnly, nodes(1)}, {moved, nodes(2)}, {onTwoNodes, nodes(2)}}},
		{"growth", []value{{neverGrown, nil}, {grownBefore, grows}, {grownWhile, grows}, {grownAfter, grows}}},
		{"copy", []value{{notCopied, nil}, {snapshotted, snapshots}, {snapshottedInUse, snapshots}, {copiedByClone, clones}}},
		{"where", []value{{anywhere, nil}, {oneMore, segments(2)}, {exactly, segments(1)}, {preferredAlone, segments(2)}}},
		{"restart", []value{{neverRestarted, nil}, {restartedInUse, restarts}, {restartedAfterwards, restarts}}},
	}
}

// life is one row of the array: the value of each dimension.
type life []string

// String describes the life in words: everything that is unusual.
func (l life) String() string { return strings.Join(l, ", ") }

// lives returns the rows that a driver of the shape has. left holds the values that the driver does not have. Rows without a
// restart contain each pair of the other values; rows with a restart contain each value with each restart.
func lives(shape Shape) (rows []life, left []string) {
	var had [][]string
	for _, d := range dimensions() {
		var names []string
		for _, v := range d.values {
			if v.had == nil || v.had(shape) {
				names = append(names, v.name)
			} else {
				left = append(left, fmt.Sprintf("%s: %s", d.name, v.name))
			}
		}
		if len(names) == 0 {
			return nil, left
		}
		had = append(had, names)
	}
	restarts := slices.DeleteFunc(slices.Clone(had[restarted]), func(name string) bool { return name == neverRestarted })
	had[restarted] = []string{neverRestarted}
	rows = rowsOf(had, covering.Pairs(len(had)))
	if len(restarts) == 0 {
		return rows, left
	}
	had[restarted] = restarts
	var withRestart [][]int
	for d := range restarted {
		withRestart = append(withRestart, []int{d, restarted})
	}
	return append(rows, rowsOf(had, withRestart)...), left
}

// rowsOf returns lives with these values that have each combination of the dimensions that come together.
func rowsOf(had [][]string, together [][]int) []life {
	named := func(row []int) life {
		l := make(life, len(row))
		for d, value := range row {
			if value != covering.Unset {
				l[d] = had[d][value]
			}
		}
		return l
	}
	array := covering.Array{Together: together, Forbids: func(row []int) bool { return named(row).isNone() }}
	for _, names := range had {
		array.Values = append(array.Values, len(names))
	}
	var rows []life
	for _, row := range array.Rows() {
		rows = append(rows, named(row))
	}
	return rows
}

// isNone reports whether no volume can have the life, whatever the unset values are.
func (l life) isNone() bool {
	one := l[access] == asOne || l[access] == asDevice || l[access] == asPods
	inUse := l[grown] == grownWhile || l[copied] == snapshottedInUse || l[restarted] == restartedInUse
	switch {
	case l[used] == unused && inUse,
		one && l[used] == onTwoNodes:
		return true
	default:
		return false
	}
}
