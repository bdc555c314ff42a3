// SPDX-License-Identifier: Apache-2.0

package draft

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// under returns the value of the field in the mapping; nil if there is none.
func under(mapping *yaml.Node, field string) *yaml.Node {
	for pair := range slices.Chunk(mapping.Content, 2) {
		if pair[0].Value == field {
			return pair[1]
		}
	}
	return nil
}

// put writes the field in the form of the other profiles, each line after the prefix.
func put(out *strings.Builder, prefix, field string, value *yaml.Node) error {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(map[string]*yaml.Node{field: value}); err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	for line := range strings.Lines(text.String()) {
		out.WriteString(prefix + line)
	}
	return nil
}

// writtenAs returns the value of a profile, or of a part of one, in the form of its file: structs without zero fields.
func writtenAs(v reflect.Value) (*yaml.Node, error) {
	value := v.Interface()
	switch known := value.(type) {
	case profile.AccessibleFrom:
		value = known.Value()
	case profile.AccessMode:
		value = csi.VolumeCapability_AccessMode_Mode(known).String()
	case time.Duration:
		value = known.String()
	}
	node, failed := &yaml.Node{}, error(nil)
	switch v.Kind() {
	case reflect.Pointer:
		return writtenAs(v.Elem())
	case reflect.Struct:
		node.Kind = yaml.MappingNode
		for field, inner := range v.Fields() {
			if !inner.IsZero() {
				written, err := writtenAs(inner)
				failed = errors.Join(failed, err)
				node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: field.Tag.Get("yaml")}, written)
			}
		}
	case reflect.Slice:
		node.Kind = yaml.SequenceNode
		for _, inner := range v.Seq2() {
			written, err := writtenAs(inner)
			failed = errors.Join(failed, err)
			node.Content = append(node.Content, written)
		}
	default:
		failed = node.Encode(value)
	}
	return node, failed
}
