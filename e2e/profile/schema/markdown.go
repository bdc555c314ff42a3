// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
)

const introduction = `# The profile

<!-- Generated from the types of e2e/profile and their comments by make generate: change those, not this file. -->

A profile is a YAML file that holds everything a driver cannot report itself.
Unknown fields are errors, which name the line.

` + "```sh" + `
go run ./e2e/cmd/csi-topo profile check fixtures/profiles/hostpath-topo.yaml # says with line and column what is wrong
go run ./e2e/cmd/csi-topo profile schema                                     # prints the JSON schema
` + "```" + `

An editor that knows JSON schemas completes and checks fields in a file that begins with this line:

` + "```yaml" + `
# yaml-language-server: $schema=` + URL + `
` + "```" + `

This is a whole profile, and enough for many drivers:

` + "```yaml" + `
driver: csi.example.com
volumeBytes: 10737418240
` + "```" + `

All other fields may be left out.
`

// Markdown returns the documentation of the fields: a section for each, with its type, its example and its own fields.
func Markdown(fields []Field) string {
	var out strings.Builder
	out.WriteString(introduction)
	for _, field := range fields {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\n%s\n", field.Name, capital(kindOf(field)), sentence(field.Text))
		if field.Example != "" {
			fmt.Fprintf(&out, "\n```yaml\n%s\n```\n", field.Example)
		}
		if len(field.Fields) > 0 {
			out.WriteString("\n")
		}
		describe(&out, field.Fields)
	}
	return out.String()
}

// describe writes the fields as a list, each before its own fields.
func describe(out *strings.Builder, fields []Field) {
	for _, field := range fields {
		fmt.Fprintf(out, "- `%s` (%s): %s\n", field.Path, kindOf(field), sentence(field.Text))
		if field.Example != "" {
			fmt.Fprintf(out, "\n  ```yaml\n  %s\n  ```\n\n", strings.ReplaceAll(field.Example, "\n", "\n  "))
		}
		describe(out, field.Fields)
	}
}

func kindOf(field Field) string {
	if field.Required {
		return field.Type + ", required"
	}
	return field.Type
}

// capital makes the first letter a capital, unless the word is one of a profile's.
func capital(text string) string {
	if strings.Contains(text, " or ") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// sentence formats the field's name, with which the text begins, as code.
func sentence(text string) string {
	name, rest, _ := strings.Cut(text, " ")
	return "`" + name + "` " + rest
}
