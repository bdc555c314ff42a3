// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// mistake is what does not have the form of a profile: the key, "" in a list, with its value; the value is nil if it is
// not known which is meant.
type mistake struct {
	err   error
	at    *token.Token
	key   string
	value ast.Node
}

// decode reads the profile in the node. The errors name everything that does not have the form of a profile: what is
// wrong is removed from the node, because the YAML library stops at the first error.
func decode(name string, node ast.Node) (p Profile, problems []error) {
	var mistakes []mistake
	for {
		p = Profile{}
		decoder := yaml.NewDecoder(strings.NewReader(""), yaml.Strict(), yaml.CustomUnmarshaler(readDuration))
		err := decoder.DecodeFromNode(node, &p)
		if err == nil {
			break
		}
		found := takeOut(node, err)
		mistakes = append(mistakes, found)
		if found.value == nil {
			break
		}
	}
	slices.SortStableFunc(mistakes, func(a, b mistake) int {
		if a.at == nil || b.at == nil {
			return 0
		}
		return a.at.Position.Offset - b.at.Position.Offset
	})
	for _, found := range mistakes {
		problems = append(problems, found.inWords(name))
	}
	return p, problems
}

// takeOut removes what the error is about from the node.
func takeOut(node ast.Node, err error) mistake {
	var placed yaml.Error
	isWrong := func(ast.Node) bool { return false }
	if errors.As(err, &placed) && placed.GetToken() != nil {
		isWrong = func(value ast.Node) bool {
			return value.GetToken().Position.Offset == placed.GetToken().Position.Offset
		}
	} else if timeouts := under(node, "timeouts"); timeouts != nil { // the error of a duration has no token
		node = timeouts
		isWrong = func(value ast.Node) bool {
			text, isText := value.(ast.ScalarNode)
			return isText && strings.HasPrefix(err.Error(), fmt.Sprintf("%q is no duration", fmt.Sprint(text.GetValue())))
		}
	}
	for _, mapping := range ast.Filter(ast.MappingType, node) {
		mapping, _ := mapping.(*ast.MappingNode)
		for i, entry := range mapping.Values {
			at := entry.Value.GetToken()
			if isWrong(entry.Key) {
				at = entry.Key.GetToken()
			}
			if isWrong(entry.Value) || isWrong(entry.Key) {
				mapping.Values = slices.Delete(mapping.Values, i, i+1)
				return mistake{err, at, entry.Key.GetToken().Value, entry.Value}
			}
		}
	}
	for _, list := range ast.Filter(ast.SequenceType, node) {
		list, _ := list.(*ast.SequenceNode)
		for i, value := range list.Values {
			if isWrong(value) {
				list.Values = slices.Delete(list.Values, i, i+1)
				return mistake{err, value.GetToken(), "", value}
			}
		}
	}
	return mistake{err: err}
}

// under returns the value of the key in the mapping; nil if there is none.
func under(node ast.Node, key string) ast.Node {
	mapping, _ := node.(*ast.MappingNode)
	if mapping == nil {
		return nil
	}
	for _, entry := range mapping.Values {
		if entry.Key.GetToken().Value == key {
			return entry.Value
		}
	}
	return nil
}

// inWords returns the YAML library's error in the words of a profile rather than Go's, with its place.
func (m mistake) inWords(name string) error {
	if m.value == nil {
		return located(name, m.err)
	}
	var unknown *yaml.UnknownFieldError
	var mistyped *yaml.TypeError
	var tooLarge *yaml.OverflowError
	var misshapen *yaml.UnexpectedNodeTypeError
	var worded yaml.Error
	found := cmp.Or(m.key, "an entry") + " is " + shape(m.value)
	switch {
	case errors.As(m.err, &unknown):
		return fmt.Errorf("%s:%s: unknown field %q%s", name, place(m.at), m.key, suggestion(m.key))
	case errors.As(m.err, &mistyped):
		return fmt.Errorf("%s:%s: %s: want %s", name, place(m.at), found, wanted(mistyped.DstType))
	case errors.As(m.err, &tooLarge):
		return fmt.Errorf("%s:%s: %s, which is too large", name, place(m.at), found)
	case errors.As(m.err, &misshapen) && misshapen.Expected == ast.SequenceType:
		return fmt.Errorf("%s:%s: %s: want a list", name, place(m.at), found)
	case errors.As(m.err, &misshapen) && misshapen.Expected == ast.MappingType:
		return fmt.Errorf("%s:%s: %s: want fields with values", name, place(m.at), found)
	case errors.As(m.err, &worded):
		return fmt.Errorf("%s:%s: %s", name, place(m.at), worded.GetMessage())
	default:
		return fmt.Errorf("%s:%s: %s: %w", name, place(m.at), cmp.Or(m.key, "an entry"), m.err)
	}
}

// shape returns a scalar as it is written, or the kind of any other value.
func shape(value ast.Node) string {
	switch value.Type() {
	case ast.MappingType:
		return "a mapping"
	case ast.SequenceType:
		return "a list"
	default:
		return value.GetToken().Value
	}
}

// wanted says what a field of the type must be in a profile.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "a whole number, without a unit: 1 GiB is 1073741824"
	case reflect.String:
		return "one word or text"
	default:
		return "a " + t.Kind().String()
	}
}

// suggestion proposes the field that is meant, if one is similar.
func suggestion(field string) string {
	const far = 3
	nearest, best := "", min(far, len(field)/2+1)
	for _, known := range fieldsOf(reflect.TypeFor[Profile](), "", map[reflect.Type]bool{}) {
		name := known[strings.LastIndex(known, ".")+1:]
		if d := distance(strings.ToLower(field), strings.ToLower(name)); d < best {
			nearest, best = known, d
		}
	}
	if nearest == "" {
		return ": docs/profile.md has all of them"
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
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name == "" {
			names = append(names, fieldsOf(field.Type, above, seen)...)
			continue
		}
		names = append(names, above+name)
		names = append(names, fieldsOf(field.Type, above+name+".", seen)...)
	}
	return names
}

// distance returns how many letters must be inserted, removed or replaced to turn one word into the other.
func distance(a, b string) int {
	before := make([]int, len(b)+1)
	for j := range before {
		before[j] = j
	}
	for i := range len(a) {
		row := []int{i + 1}
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row = append(row, min(row[j]+1, before[j+1]+1, before[j]+cost))
		}
		before = row
	}
	return before[len(b)]
}
