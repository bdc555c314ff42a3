// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"regexp"
	"slices"
	"strings"
)

var (
	everyKeyword = regexp.MustCompile(`\b(MUST|REQUIRED|SHALL|SHOULD|RECOMMENDED|MAY|OPTIONAL)( NOT)?\b`)
	headingLine  = regexp.MustCompile("^#+ +`?(.*?)`?$")
	blockLine    = regexp.MustCompile(`^(message|enum|service|oneof|extend)\s+([\w.]+)\s*\{`)
	rpcLine      = regexp.MustCompile(`^rpc\s+(\w+)`)
	fieldLine    = regexp.MustCompile(`^(?:(?:repeated\s+)?(?:map<[^>]*>|[\w.]+)\s+)?(\w+)\s*=\s*-?\d+`)
)

// demands returns the keywords of a line, sorted.
func demands(line string) []string {
	found := everyKeyword.FindAllString(line, -1)
	slices.Sort(found)
	return found
}

// symbols returns the symbol that each line of a specification belongs to, and all symbols. A line of prose belongs to its
// heading, which is a symbol that begins with #; a comment in the protobuf definitions belongs to the definition after it.
func symbols(text string) (of, names []string) {
	lines := strings.Split(text, "\n")
	of = make([]string, len(lines))
	var blocks []string // around the line; "" for a block whose name is not part of its fields' names
	heading, inCode, comment := "", false, 0
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			inCode, blocks, comment = strings.HasPrefix(line, "```protobuf"), nil, i+1
			continue
		}
		if !inCode {
			if found := headingLine.FindStringSubmatch(line); found != nil {
				heading = "#" + found[1]
				names = append(names, heading)
			}
			of[i] = heading
			continue
		}
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		name := ""
		switch block, rpc, field := blockLine.FindStringSubmatch(line), rpcLine.FindStringSubmatch(line), fieldLine.FindStringSubmatch(line); {
		case block != nil && block[1] == "oneof":
			blocks = append(blocks, "")
		case block != nil:
			blocks = append(blocks, block[2])
			name = joinedName(blocks)
		case rpc != nil:
			name = "rpc " + rpc[1]
		case field != nil && len(blocks) > 0:
			name = joinedName(append(slices.Clone(blocks), field[1]))
		}
		if name != "" {
			names = append(names, name)
		}
		for ; comment <= i; comment++ {
			of[comment] = name
		}
		ends := strings.HasPrefix(line, "}") || blockLine.MatchString(line) && strings.HasSuffix(line, "}")
		if ends && len(blocks) > 0 {
			blocks = blocks[:len(blocks)-1]
		}
	}
	return of, names
}

// joinedName returns the name of a definition in nested blocks, such as Snapshot.size_bytes.
func joinedName(blocks []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(blocks), func(name string) bool { return name == "" }), ".")
}
