// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"path/filepath"
	"strings"
	"unicode"
)

// value is a hostile text for a field.
type value struct {
	name, text string
	// lethal values are not tried as a path, because a driver that used them would harm the machine instead of a canary.
	lethal bool
	// wild values are the only ones tried in an opaque field, where all values are alike.
	wild bool
}

const (
	kibibytes    = 4 << 10
	unknownImage = "image-01900000-0000-7000-8000-00000000dead"
)

// isName reports whether a volume or a snapshot may have the name: at most 128 bytes,
// without control characters except tab, line feed and carriage return (CSI spec,
// CreateVolumeRequest.name and Size Limits).
func isName(v value) bool {
	return len(v.text) <= sizeLimit && !strings.ContainsFunc(v.text, func(r rune) bool {
		return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r)
	})
}

// areMountFlags reports whether the value has a length that mount flags may have.
func areMountFlags(v value) bool { return len(v.text) <= kibibytes }

// isID reports whether the value is an id that this driver may have given.
func isID(v value) bool { return v.text == unknownImage }

// values returns the hostile values for every field: paths out of a directory, names of the driver's own files, texts
// that a shell or a format would expand, and overlong texts. Some name files of the trap, so that access to them is
// detected.
func values(t trap) []value {
	long := strings.Repeat("a", kibibytes)
	return []value{
		{name: "parent", text: ".."},
		{name: "itself", text: "."},
		{name: "root", text: "/", lethal: true},
		{name: "a canary, relative to the volumes", text: "../../outside/victim"},
		{name: "a canary, relative to the data directory", text: "../outside/etc/passwd"},
		{name: "a canary, far up and down", text: strings.Repeat("../", 20) + strings.TrimPrefix(t.path("outside/victim"), "/")},
		{name: "a canary, absolute", text: t.path("outside/etc/passwd"), wild: true},
		{name: "a canary, absolute and unclean", text: t.path("data") + "/../outside/etc/passwd"},
		{name: "a canary, with a trailing slash", text: t.path("outside/etc/passwd") + "/"},
		{name: "a directory of canaries, with a trailing slash", text: t.path("outside/etc") + "/"},
		{name: "a canary, with two slashes", text: "/" + t.path("outside/etc/passwd")},
		{name: "below a canary", text: t.path("outside/etc/passwd/below")},
		{name: "below a process", text: "/proc/self/cwd/.."},
		{name: "the records", text: "records.db"},
		{name: "the records, from the volumes", text: "../records.db"},
		{name: "another driver's records", text: "state.db"},
		{name: "the directory of volumes", text: "volumes"},
		{name: "percent-encoded", text: "%2e%2e%2foutside%2fetc%2fpasswd"},
		{name: "percent-encoded dot", text: "%2e"},
		{name: "backslashes", text: `..\..\outside\etc\passwd`},
		{name: "dots that only look like it", text: "\uff0e\uff0e\uff0foutside"},
		{name: "NUL", text: "\x00"},
		{name: "NUL at the end", text: unknownImage + "\x00"},
		{name: "NUL in a path", text: t.path("outside/etc/passwd") + "\x00/x"},
		{name: "an id and a way out", text: unknownImage + "/../../../outside/victim"},
		{name: "an id and a slash", text: unknownImage + "/"},
		{name: "an id of nothing", text: unknownImage},
		{name: "an id in capitals", text: strings.ToUpper(unknownImage)},
		{name: "an id in braces", text: "image-{01900000-0000-7000-8000-00000000dead}"},
		{name: "an id of another kind", text: "tape-01900000-0000-7000-8000-00000000dead"},
		{name: "a kind without an id", text: "image-"},
		{name: "line feed", text: "a\nb"},
		{name: "escape", text: "\x1b[31mred"},
		{name: "an option", text: "-rf"},
		{name: "a mount option with another device", text: "source=" + t.path("outside/etc/passwd")},
		{name: "a mount option with a log elsewhere", text: "logdev=" + t.path("outside/etc/passwd")},
		{name: "a mount option with a journal elsewhere", text: "journal_path=" + t.path("outside/etc/passwd")},
		{name: "two mount options", text: "noatime,bind"},
		{name: "a command", text: "$(touch pwned);`touch pwned`"},
		{name: "a pattern", text: "*"},
		{name: "a format", text: "%s%n%d{{.}}"},
		{name: "JSON", text: `"},{"id":"`},
		{name: "blank", text: " "},
		{name: "129 bytes", text: strings.Repeat("a", sizeLimit+1)},
		{name: "4 KiB", text: long},
		{name: "4 KiB of ways up", text: strings.Repeat("../", kibibytes/3), lethal: true},
		{name: "4 KiB below the root", text: "/" + long},
		{name: "4 KiB of directories", text: strings.Repeat("/a", kibibytes/2)},
		{name: "4 KiB of NUL", text: strings.Repeat("\x00", kibibytes), wild: true},
		{name: "a path with a name of 256 bytes", text: filepath.Join(t.path("outside"), strings.Repeat("n", 256))},
	}
}
