// SPDX-License-Identifier: Apache-2.0

// Package absent makes ids of things that do not exist.
package absent

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

// Unlike is an id of the same form as one that a driver has given, and most likely nothing's: its last letters and digits
// are others of their kind, a hexadecimal digit a hexadecimal one. A driver may refuse ids of any other form as invalid.
func Unlike(id string) string {
	const changed = 6
	other := []byte(id)
	for i, left := len(other)-1, changed; i >= 0 && left > 0; i-- {
		for _, kind := range []string{"0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ"} {
			if at := strings.IndexByte(kind, other[i]); at >= 0 {
				other[i] = kind[(at+len(kind)/2)%len(kind)]
				left--
				break
			}
		}
	}
	return string(other)
}
