// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// field is a place in a request where a caller may put text.
type field struct {
	// path is the same for all requests of a type: "volume_capabilities.mount.fs_type",
	// "parameters[key]".
	path string
	// name distinguishes fields with the same path: the values of a map.
	name string
	put  func(request protoreflect.Message, text string)
	// get returns the text in the field; "" for keys.
	get func(request protoreflect.Message) string
}

// with returns a copy of the request with the text in the field.
func (f field) with(request proto.Message, text string) proto.Message {
	changed := proto.Clone(request)
	f.put(changed.ProtoReflect(), text)
	return changed
}

// fieldsOf returns the fields of a request and of the messages in it; of a list, only the first element.
func fieldsOf(request proto.Message) []field {
	whole := func(m protoreflect.Message) protoreflect.Message { return m }
	return fieldsBelow(request.ProtoReflect(), "", whole)
}

// fieldsBelow returns the fields of a message; at returns that message in a request.
func fieldsBelow(m protoreflect.Message, prefix string, at func(protoreflect.Message) protoreflect.Message) []field {
	var found []field
	all := m.Descriptor().Fields()
	for i := range all.Len() {
		d := all.Get(i)
		path := prefix + string(d.Name())
		switch {
		case d.IsMap():
			found = append(found, entriesOf(m, d, path, at)...)
		case d.IsList() && d.Message() != nil:
			if m.Get(d).List().Len() > 0 {
				found = append(found, fieldsBelow(m.Get(d).List().Get(0).Message(), path+".", func(request protoreflect.Message) protoreflect.Message {
					return at(request).Mutable(d).List().Get(0).Message()
				})...)
			}
		case d.Message() != nil:
			if m.Has(d) {
				found = append(found, fieldsBelow(m.Get(d).Message(), path+".", func(request protoreflect.Message) protoreflect.Message {
					return at(request).Mutable(d).Message()
				})...)
			}
		case d.IsList() && isText(d):
			found = append(found, field{
				path: path, name: path,
				put: func(request protoreflect.Message, text string) {
					list := at(request).Mutable(d).List()
					list.Truncate(0)
					list.Append(textFor(d, text))
				},
				get: func(request protoreflect.Message) string {
					if list := at(request).Get(d).List(); list.Len() > 0 {
						return list.Get(0).String()
					}
					return ""
				},
			})
		case isText(d):
			found = append(found, field{
				path: path, name: path,
				put: func(request protoreflect.Message, text string) { at(request).Set(d, textFor(d, text)) },
				get: func(request protoreflect.Message) string { return at(request).Get(d).String() },
			})
		}
	}
	return found
}

// entriesOf returns the fields of a map: one for its keys, and one for each value.
func entriesOf(m protoreflect.Message, d protoreflect.FieldDescriptor, path string, at func(protoreflect.Message) protoreflect.Message) []field {
	found := []field{{
		path: path + "[key]", name: path + "[key]",
		put: func(request protoreflect.Message, text string) {
			at(request).Mutable(d).Map().Set(protoreflect.ValueOfString(text).MapKey(), protoreflect.ValueOfString("value"))
		},
		get: func(protoreflect.Message) string { return "" },
	}}
	m.Get(d).Map().Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		found = append(found, field{
			path: path + "[value]", name: path + "[" + key.String() + "]",
			put: func(request protoreflect.Message, text string) {
				at(request).Mutable(d).Map().Set(key, protoreflect.ValueOfString(text))
			},
			get: func(request protoreflect.Message) string { return at(request).Get(d).Map().Get(key).String() },
		})
		return true
	})
	slices.SortFunc(found[1:], func(a, b field) int { return strings.Compare(a.name, b.name) })
	return found
}

func isText(d protoreflect.FieldDescriptor) bool {
	return d.Kind() == protoreflect.StringKind || d.Kind() == protoreflect.BytesKind
}

func textFor(d protoreflect.FieldDescriptor, text string) protoreflect.Value {
	if d.Kind() == protoreflect.BytesKind {
		return protoreflect.ValueOfBytes([]byte(text))
	}
	return protoreflect.ValueOfString(text)
}

// pathsOf returns the paths of all fields that requests of the type can have.
func pathsOf(d protoreflect.MessageDescriptor, prefix string) []string {
	var paths []string
	for i := range d.Fields().Len() {
		d := d.Fields().Get(i)
		path := prefix + string(d.Name())
		switch {
		case d.IsMap():
			paths = append(paths, path+"[key]", path+"[value]")
		case d.Message() != nil:
			paths = append(paths, pathsOf(d.Message(), path+".")...)
		case isText(d):
			paths = append(paths, path)
		}
	}
	return paths
}

// TestEveryFieldIsCovered checks that validRequests sets every field of every request, so that each gets hostile values.
func TestEveryFieldIsCovered(t *testing.T) {
	total := 0
	for _, r := range rpcs() {
		covered := map[string]bool{}
		for _, request := range (&world{segment: segments()[0]}).validRequests(r) {
			for _, f := range fieldsOf(request) {
				covered[f.path] = true
			}
		}
		for _, path := range pathsOf(r.method.Input(), "") {
			total++
			if !covered[path] {
				t.Errorf("no valid request of %s has the field %s: set it in valid_test.go, and say in rule_test.go what is answered if it is no plain refusal", r.name, path)
			}
		}
	}
	if total < 100 {
		t.Errorf("only %d fields were found in the requests: the reflection does not see them", total)
	}
}
