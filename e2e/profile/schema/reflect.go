// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// URL is the address of the schema for editors.
const URL = "https://raw.githubusercontent.com/csi-topo/csi-topo/main/e2e/profile/schema/profile.schema.json"

// Reflect generates the schema from the profile's types and their comments. It must run in the directory of this
// package.
func Reflect() ([]byte, error) {
	r := jsonschema.Reflector{
		FieldNameTag:               "yaml",
		RequiredFromJSONSchemaTags: true,
		ExpandedStruct:             true,
		Mapper:                     written,
	}
	if err := addComments(&r); err != nil {
		return nil, err
	}
	schema := r.Reflect(profile.Profile{})
	schema.ID, schema.Title = URL, "csi-topo profile"
	schema.Description = "Everything about a CSI driver that it cannot report itself."
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		return nil, fmt.Errorf("writing the schema of a profile: %w", err)
	}
	return out.Bytes(), nil
}

// written returns the schema of a type that profiles write differently from Go, or nil.
func written(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[profile.AccessibleFrom]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			{Type: "integer", Minimum: "1"},
			{Const: profile.Everywhere.Value()},
		}}
	case reflect.TypeFor[profile.AccessMode]():
		return &jsonschema.Schema{Type: "string", Enum: words(profile.AccessModes())}
	case reflect.TypeFor[profile.Disturbance]():
		return &jsonschema.Schema{Type: "string", Enum: words(profile.Disturbances())}
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "string", Title: "duration", Pattern: `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`}
	default:
		return nil
	}
}

func words[T ~string](from []T) []any {
	var all []any
	for _, word := range from {
		all = append(all, string(word))
	}
	return all
}

// addComments gives the reflector the comments of package profile, with the YAML names of fields.
func addComments(r *jsonschema.Reflector) error {
	const base = "github.com/csi-topo/csi-topo/e2e/profile"
	// The library adds the path of a file to the path of the package that it begins in.
	if err := r.AddGoComments(base+"/schema", "..", jsonschema.WithFullComment()); err != nil {
		return fmt.Errorf("reading the comments of %s: %w", base, err)
	}
	for _, t := range described() {
		for i := range t.NumField() {
			field := t.Field(i)
			key := fmt.Sprintf("%s.%s.%s", base, t.Name(), field.Name)
			comment, found := r.CommentMap[key]
			if !found {
				return fmt.Errorf("%s has no comment: want one that says what a vendor writes there", key)
			}
			if rest, begins := strings.CutPrefix(comment, field.Name+" "); begins {
				comment = field.Tag.Get("yaml") + " " + rest
			}
			r.CommentMap[key] = unwrap(comment)
		}
		key := base + "." + t.Name()
		r.CommentMap[key] = unwrap(r.CommentMap[key])
	}
	return nil
}

// described returns the types of a profile that have fields.
func described() []reflect.Type {
	var found []reflect.Type
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(t.Elem())
		case reflect.Struct:
			if seen[t] {
				return
			}
			seen[t] = true
			found = append(found, t)
			for i := range t.NumField() {
				visit(t.Field(i).Type)
			}
		}
	}
	visit(reflect.TypeFor[profile.Profile]())
	return found
}

// unwrap puts each paragraph on one line, and leaves indented blocks unchanged.
func unwrap(comment string) string {
	var paragraphs []string
	for _, paragraph := range strings.Split(comment, "\n\n") {
		if !strings.HasPrefix(paragraph, "\t") {
			paragraph = strings.ReplaceAll(paragraph, "\n", " ")
		}
		paragraphs = append(paragraphs, paragraph)
	}
	return strings.Join(paragraphs, "\n\n")
}
