// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	_ "embed" // for the schema

	"github.com/invopop/jsonschema"
)

//go:embed profile.schema.json
var generated []byte

// The generated files: File in the directory of this package, and Document relative to the repository.
const (
	File     = "profile.schema.json"
	Document = "docs/profile.md"
)

// JSON returns the schema.
func JSON() []byte { return slices.Clone(generated) }

// Field is one field of a profile.
type Field struct {
	// Name is the field's name in a profile, and Path its name with the names of the enclosing fields, such as
	// cluster.install.command. A field of a list's elements follows [] in it.
	Name, Path string
	// Type is the type of the field, in words.
	Type string
	// Text says what the field is for, and Example is YAML with that field, or empty.
	Text, Example string
	// Required says that a profile, or the enclosing field, must have it.
	Required bool
	// Fields are the fields of the field, or of each element of its list.
	Fields []Field
}

// Fields returns the fields of a profile, in the order of documentation.
func Fields() ([]Field, error) { return Read(generated) }

// Read returns the fields of a schema that Reflect generated.
func Read(data []byte) ([]Field, error) {
	schema := &jsonschema.Schema{}
	if err := json.Unmarshal(data, schema); err != nil {
		return nil, fmt.Errorf("reading the schema of a profile: %w", err)
	}
	return fieldsOf(schema, schema.Definitions, ""), nil
}

func fieldsOf(object *jsonschema.Schema, definitions jsonschema.Definitions, prefix string) []Field {
	if object == nil || object.Properties == nil {
		return nil
	}
	var fields []Field
	for at := object.Properties.Oldest(); at != nil; at = at.Next() {
		schema := at.Value
		text, example := split(schema.Description)
		field := Field{
			Name:     at.Key,
			Path:     prefix + at.Key,
			Type:     typeOf(schema),
			Text:     text,
			Example:  example,
			Required: slices.Contains(object.Required, at.Key),
		}
		below, inside := field.Path+".", schema
		if schema.Items != nil {
			below, inside = field.Path+"[].", schema.Items
		}
		field.Fields = fieldsOf(definition(inside, definitions), definitions, below)
		fields = append(fields, field)
	}
	return fields
}

// definition returns the schema that the given schema refers to, or the schema itself.
func definition(schema *jsonschema.Schema, definitions jsonschema.Definitions) *jsonschema.Schema {
	if name, isReference := strings.CutPrefix(schema.Ref, "#/$defs/"); isReference {
		return definitions[name]
	}
	return schema
}

// split separates the example from a description: its indented block.
func split(description string) (text, example string) {
	var texts []string
	for _, paragraph := range strings.Split(description, "\n\n") {
		if strings.HasPrefix(paragraph, "\t") {
			example = strings.ReplaceAll(strings.TrimPrefix(paragraph, "\t"), "\n\t", "\n")
			continue
		}
		texts = append(texts, paragraph)
	}
	return strings.Join(texts, " "), example
}

// typeOf describes in words the values that the schema allows.
func typeOf(schema *jsonschema.Schema) string {
	switch {
	case schema.Title != "":
		return schema.Title
	case len(schema.Enum) > 0:
		return oneOf(schema.Enum)
	case len(schema.OneOf) == 2: // as for accessibleFrom: a number, or a word
		return fmt.Sprintf("%s, or %v", schema.OneOf[0].Type, schema.OneOf[1].Const)
	case schema.Ref != "":
		return "object"
	case schema.Items != nil:
		return "list of " + plural(typeOf(schema.Items))
	case schema.AdditionalProperties != nil:
		return "map of " + plural(typeOf(schema.AdditionalProperties))
	default:
		return schema.Type
	}
}

func oneOf(values []any) string {
	var words []string
	for _, value := range values {
		words = append(words, fmt.Sprint(value))
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// plural returns the plural of a type; other phrases stay unchanged.
func plural(word string) string {
	switch {
	case strings.HasPrefix(word, "map of"):
		return "maps" + strings.TrimPrefix(word, "map")
	case strings.Contains(word, " "):
		return word
	default:
		return word + "s"
	}
}
