// SPDX-License-Identifier: Apache-2.0

package harness

import "strings"

// LongestNames returns two new names of 128 bytes, the most that a name may have (GEN-04), that differ in the last byte.
func (d *Driver) LongestNames() []string {
	const longest = 128
	name := d.Name() + "-"
	name += strings.Repeat("x", max(0, longest-1-len(name)))
	return []string{name + "a", name + "b"}
}

// SimilarNames returns the LongestNames, and new names that differ only in letter case or in a separator. A back end may
// support none of them, or only some.
func (d *Driver) SimilarNames() []string {
	names, name := d.LongestNames(), d.Name()
	for _, ending := range []string{"-name", "-NAME", ".name", "_name", " name", "/name", "·name"} {
		names = append(names, name+ending)
	}
	return names
}
