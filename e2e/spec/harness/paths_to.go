// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"path"
	"strings"
)

// PathsTo are ids that the driver has never returned, of at most 128 bytes. Taken as paths they lead to what has the id, by
// way of the other one of the same kind, and nowhere else: a driver that takes them so touches only what the case has made.
func PathsTo(id, other string) []string {
	const most = 128
	dir, base := path.Split(id)
	paths := []string{dir + path.Base(other) + "/../" + base}
	if !strings.Contains(id, "/") {
		paths = append(paths, "./"+id)
	}
	var short []string
	for _, p := range paths {
		if len(p) <= most && p != id {
			short = append(short, p)
		}
	}
	return short
}
