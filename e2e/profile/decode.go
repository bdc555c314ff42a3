// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

// mostRead limits the number of nodes that are read, including repetitions by aliases. A thousand segments with ten keys
// have fewer.
const mostRead = 50_000

// decoding reads a profile from its nodes. Unlike the YAML library, it does not stop at the first mistake, names the column,
// and keeps entries without a value, so that the indexes of a list are the same as in the file.
type decoding struct {
	name     string
	read     int // nodes
	problems []error
}

// wrong adds a mistake at the node.
func (d *decoding) wrong(at *yaml.Node, format string, args ...any) {
	const longest = 1 << 10
	d.problems = append(d.problems, fmt.Errorf("%s:%s: %s", d.name, place(at), foreign.Cut(fmt.Sprintf(format, args...), longest)))
}

// value reads the value of the field, or an entry of a list. If the file has none, it stays unchanged.
func (d *decoding) value(field string, node *yaml.Node, into reflect.Value) {
	node = target(node)
	before := d.read
	d.read += 1 + len(node.Content)
	if before <= mostRead && d.read > mostRead {
		d.wrong(node, "the profile has too many values up to here, including what aliases repeat: want fewer")
	}
	if d.read > mostRead || node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" {
		return
	}
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	switch known := into.Addr().Interface().(type) {
	case yaml.Unmarshaler:
		if err := known.UnmarshalYAML(node); err != nil {
			d.wrong(node, "%v", err)
		}
		return
	case *time.Duration:
		read, err := time.ParseDuration(node.Value)
		if err != nil {
			d.wrong(node, "%s: %q is not a duration: want a value such as 90s or 2m", field, shape(node))
		}
		*known = read
		return
	}
	switch kind := into.Kind(); {
	case node.Kind == yaml.MappingNode && (kind == reflect.Struct || kind == reflect.Map):
		d.fields(node, into)
	case node.Kind == yaml.SequenceNode && kind == reflect.Slice:
		into.Set(reflect.MakeSlice(into.Type(), len(node.Content), len(node.Content)))
		for i, entry := range node.Content {
			d.value("an entry", entry, into.Index(i))
		}
	case node.Kind == yaml.ScalarNode && into.CanInt():
		d.number(field, node, into)
	case node.Kind != yaml.ScalarNode, kind == reflect.Bool && node.ShortTag() != "!!bool", node.Decode(into.Addr().Interface()) != nil:
		d.wrong(node, "%s is %s: want %s", field, shape(node), wanted(kind))
	}
}

// number reads a whole number, which may be in quotation marks.
func (d *decoding) number(field string, node *yaml.Node, into reflect.Value) {
	bare := yaml.Node{Kind: yaml.ScalarNode, Value: node.Value}
	var number float64
	switch {
	case bare.Decode(&number) != nil || number != math.Trunc(number):
		d.wrong(node, "%s is %s: want %s", field, shape(node), wanted(into.Kind()))
	case math.Abs(number) > 1<<63, bare.Decode(into.Addr().Interface()) != nil:
		d.wrong(node, "%s is %s, which is too large", field, shape(node))
	}
}

// fields reads the fields of a mapping.
func (d *decoding) fields(node *yaml.Node, into reflect.Value) {
	if into.Kind() == reflect.Map && into.IsNil() {
		into.Set(reflect.MakeMap(into.Type()))
	}
	for pair := range slices.Chunk(node.Content, 2) { // before the mapping's own fields, which take precedence
		if pair[0].Tag != "!!merge" {
			continue
		}
		sources := pair[1:]
		if list := target(pair[1]); list.Kind == yaml.SequenceNode {
			sources = list.Content
		}
		for _, source := range slices.Backward(sources) {
			d.value("<<", source, into)
		}
	}
	seen := map[string]*yaml.Node{}
	for pair := range slices.Chunk(node.Content, 2) {
		key := target(pair[0])
		first, twice := seen[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			d.wrong(pair[0], "a key is %s: want a word", shape(key))
		case twice:
			d.wrong(pair[0], "mapping key %q already defined at [%s]", key.Value, place(first))
		case key.Tag != "!!merge":
			d.field(pair[0], key.Value, pair[1], into)
		}
		seen[key.Value] = pair[0]
	}
}

// field reads the value of a key into the field of that name.
func (d *decoding) field(key *yaml.Node, name string, value *yaml.Node, into reflect.Value) {
	if into.Kind() == reflect.Map {
		element := reflect.New(into.Type().Elem()).Elem()
		d.value(name, value, element)
		into.SetMapIndex(reflect.ValueOf(name), element)
		return
	}
	for field, element := range into.Fields() {
		if field.Tag.Get("yaml") == name {
			element.SetZero()
			d.value(name, value, element)
			return
		}
	}
	d.wrong(key, "unknown field %q%s", name, suggestion(name))
}

// target returns the node that an alias refers to, or the node itself.
func target(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// place returns the line and column of the node.
func place(node *yaml.Node) string {
	return fmt.Sprintf("%d:%d", node.Line, node.Column)
}

// shape returns the text of a scalar, or the kind of any other value.
func shape(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	default:
		return strings.Join(strings.Fields(node.Value), " ")
	}
}

// wanted describes a correct value of the kind in a profile.
func wanted(kind reflect.Kind) string {
	switch kind {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number, without a unit: 1 GiB is 1073741824"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "fields with values"
	default:
		return "one word or text"
	}
}

// suggestion proposes the field that is meant, if one is similar.
func suggestion(field string) string {
	const far, longest = 3, 64 // letters
	nearest, best := "", min(far, len(field)/2+1)
	field = field[:min(len(field), longest)]
	for _, known := range fieldsOf(reflect.TypeFor[Profile](), "", map[reflect.Type]bool{}) {
		name := known[strings.LastIndex(known, ".")+1:]
		if d := distance(strings.ToLower(field), strings.ToLower(name)); d < best {
			nearest, best = known, d
		}
	}
	if nearest == "" {
		return ": docs/profile.md lists all fields"
	}
	return fmt.Sprintf(": did you mean %s?", nearest)
}

// fieldsOf returns the names of the type's fields in a profile, and of fields below these, such as
// endpoints.controller.
func fieldsOf(t reflect.Type, above string, seen map[reflect.Type]bool) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return nil
	}
	seen[t] = true
	var names []string
	for field := range t.Fields() {
		name := field.Tag.Get("yaml")
		names = append(append(names, above+name), fieldsOf(field.Type, above+name+".", seen)...)
	}
	return names
}

// distance returns the number of letters that must be inserted, removed or replaced to turn one word into the other.
func distance(a, b string) int {
	before := make([]int, len(b)+1)
	for j := range before {
		before[j] = j
	}
	for i := range len(a) {
		row := []int{i + 1}
		for j := range len(b) {
			replaced := before[j]
			if a[i] != b[j] {
				replaced++
			}
			row = append(row, min(row[j]+1, before[j+1]+1, replaced))
		}
		before = row
	}
	return before[len(b)]
}
