// SPDX-License-Identifier: Apache-2.0

// Package absent makes ids of things that do not exist.
package absent

import (
	"path"
	"strings"
)

// PathsTo returns ids of at most 128 bytes that the driver has never returned. A driver that takes an id, or a part of
// it, for a path reaches the object with the given id by way of the other object of the same kind, and reaches nothing
// that the case has not made. The part is any one in which the two ids differ, such as a name between keys.
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

// separated splits an id into its names and the text that separates them, in order.
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

// isSeparator reports whether the character never occurs in a name.
func isSeparator(c rune) bool { return strings.ContainsRune("/#&=:;,|@+?! ", c) }

// Longer returns ids of at most 128 bytes that the driver has never returned, and that begin or end with an id that it
// has returned. It adds no digits: a longer number may be the id of a volume that others use.
func Longer(id string) []string {
	const more, most = "csi-topo", 128
	if len(id)+1+len(more) > most {
		return nil
	}
	return []string{id + "-" + more, more + "-" + id}
}

// Named returns an id of the driver's own form that does not exist: the given id of a volume or a snapshot, with its
// name replaced by one that the run has not used. It is empty if the id does not contain the name.
func Named(id, name, unused string) string {
	if !strings.Contains(id, name) {
		return ""
	}
	return strings.Replace(id, name, unused, 1)
}

// Unlike returns an id of the same form as the given one that most likely does not exist: its last letters and digits
// are replaced by others of their kind, hexadecimal digits by hexadecimal digits. A driver may refuse ids of any other
// form as invalid.
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
