// SPDX-License-Identifier: Apache-2.0

// Package absent makes ids of things that do not exist.
package absent

import (
	"path"
	"strings"
)

// PathsTo are ids that the driver has never returned, of at most 128 bytes. Taken as paths, or with a part that is taken as one,
// they lead to what has the id, by way of the other one of the same kind, and nowhere else: a driver that takes them so touches
// only what the case has made. The part is each that the two ids do not have in common, such as a name between keys.
func PathsTo(id, other string) []string {
	const most = 128
	parts, others := separated(id), separated(other)
	if len(parts) != len(others) {
		parts, others = []string{path.Dir(id), "/", path.Base(id)}, []string{path.Dir(id), "/", path.Base(other)}
	}
	var short []string
	for i, part := range parts {
		if part == others[i] || isSeparator(rune(part[0])) || isSeparator(rune(others[i][0])) {
			continue
		}
		before, after := strings.Join(parts[:i], ""), strings.Join(parts[i+1:], "")
		for _, p := range []string{before + others[i] + "/../" + part + after, before + "./" + part + after} {
			if len(p) <= most {
				short = append(short, p)
			}
		}
	}
	return short
}

// separated are the names in an id, and what separates them, in their order.
func separated(id string) []string {
	var parts []string
	for begin := 0; begin < len(id); {
		separates := isSeparator(rune(id[begin]))
		end := begin + 1
		for end < len(id) && isSeparator(rune(id[end])) == separates {
			end++
		}
		parts, begin = append(parts, id[begin:end]), end
	}
	return parts
}

// isSeparator reports whether names have no such character.
func isSeparator(c rune) bool { return strings.ContainsRune("/#&=:;,|@+?! ", c) }

// Longer returns ids of at most 128 bytes that the driver has never returned, and that begin or end with one that it has. It adds no
// digits: a longer number may be the id of a volume that others use.
func Longer(id string) []string {
	const more, most = "csi-topo", 128
	if len(id)+1+len(more) > most {
		return nil
	}
	return []string{id + "-" + more, more + "-" + id}
}

// Named is an id of the driver's own form that nobody has: that of a volume or a snapshot whose name is a part of its id, with
// another name of the run, which nothing has had. It is empty where the id does not have the name.
func Named(id, name, unused string) string {
	if !strings.Contains(id, name) {
		return ""
	}
	return strings.Replace(id, name, unused, 1)
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
