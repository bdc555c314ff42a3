// SPDX-License-Identifier: Apache-2.0

package draft

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/profile/schema"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// Draft is a partly known profile.
type Draft struct {
	Profile profile.Profile
	// Head holds the paragraphs at the beginning of the file.
	Head []string

	notes    map[string][]string
	examples map[string]any
}

// longestNote is the limit of a note in the file, in bytes.
const longestNote = 2 << 10

// Note adds a sentence to the comment of a field, which path names, such as cluster.topology. It may quote a driver: it
// is cut if it is long, and control characters are removed.
func (d *Draft) Note(path, format string, args ...any) {
	if d.notes == nil {
		d.notes = map[string][]string{}
	}
	d.notes[path] = append(d.notes[path], foreign.Cut(fmt.Sprintf(format, args...), longestNote))
}

// Suggest shows the value, as a comment, for a field that is not set: the vendor decides whether it is right.
func (d *Draft) Suggest(path string, value any) {
	if d.examples == nil {
		d.examples = map[string]any{}
	}
	d.examples[path] = value
}

// Noted reports whether the field has a note.
func (d *Draft) Noted(path string) bool { return len(d.notes[path]) > 0 }

// YAML returns the file. Parse accepts it if it accepts the draft's profile.
func (d *Draft) YAML() ([]byte, error) {
	fields, err := schema.Fields()
	if err != nil {
		return nil, err
	}
	known, err := writtenAs(reflect.ValueOf(d.Profile))
	if err != nil {
		return nil, err
	}
	out := &strings.Builder{}
	fmt.Fprintf(out, "# yaml-language-server: $schema=%s\n", schema.URL)
	for _, paragraph := range d.Head {
		out.WriteString("#\n")
		comment(out, "", paragraph)
	}
	for _, field := range fields {
		out.WriteString("\n")
		if err := d.write(out, "", field, known); err != nil {
			return nil, err
		}
	}
	if _, err := profile.Parse("the profile", []byte(out.String())); err != nil {
		return nil, fmt.Errorf("writing a profile that its own check refuses: %w", err)
	}
	return []byte(out.String()), nil
}

// write writes one field with its comment, and its value in the object, if it is known.
func (d *Draft) write(out *strings.Builder, indent string, field schema.Field, object *yaml.Node) error {
	comment(out, indent, field.Text)
	for _, note := range d.notes[field.Path] {
		comment(out, indent, "> "+note)
	}
	value := under(object, field.Name)
	switch {
	case value != nil && value.Kind == yaml.MappingNode && explained(field):
		fmt.Fprintf(out, "%s%s:\n", indent, field.Name)
		for _, inner := range field.Fields {
			if under(value, inner.Name) == nil && inner.Example == "" && !d.Noted(inner.Path) {
				continue
			}
			if err := d.write(out, indent+"  ", inner, value); err != nil {
				return err
			}
		}
		return nil
	case value != nil:
		return put(out, indent, field.Name, value)
	case d.examples[field.Path] != nil:
		value, err := writtenAs(reflect.ValueOf(d.examples[field.Path]))
		if err != nil {
			return err
		}
		return put(out, indent+"# ", field.Name, value)
	case field.Example != "":
		fmt.Fprintf(out, "%s# %s\n", indent, strings.ReplaceAll(field.Example, "\n", "\n"+indent+"# "))
	}
	return nil
}

// explained reports whether the fields inside the field get comments, which they do if one has an example.
func explained(field schema.Field) bool {
	return slices.ContainsFunc(field.Fields, func(inner schema.Field) bool { return inner.Example != "" })
}

// comment writes the text in lines of a readable length.
func comment(out *strings.Builder, indent, text string) {
	const width = 110
	line := ""
	for _, word := range strings.Fields(foreign.Printable(text)) {
		if line != "" && len(indent)+len(line)+len(word) > width {
			fmt.Fprintf(out, "%s#%s\n", indent, line)
			line = ""
		}
		line += " " + word
	}
	fmt.Fprintf(out, "%s#%s\n", indent, line)
}
