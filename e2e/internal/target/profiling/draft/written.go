// SPDX-License-Identifier: Apache-2.0

package draft

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/goccy/go-yaml"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// mapping is a YAML mapping in the order of its keys.
type mapping yaml.MapSlice

func (m mapping) get(name string) (value any, found bool) {
	at := slices.IndexFunc(m, func(item yaml.MapItem) bool { return item.Key == name })
	if at < 0 {
		return nil, false
	}
	return m[at].Value, true
}

// put writes the mapping in the form of the other profiles, each line after the prefix.
func put(out *strings.Builder, prefix string, m mapping) error {
	text, err := yaml.MarshalWithOptions(plain(m), yaml.IndentSequence(false))
	if err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		out.WriteString(prefix + line)
	}
	return nil
}

// plain replaces the mappings of this package by the library's.
func plain(value any) any {
	switch value := value.(type) {
	case mapping:
		items := yaml.MapSlice{}
		for _, item := range value {
			items = append(items, yaml.MapItem{Key: item.Key, Value: plain(item.Value)})
		}
		return items
	case []any:
		items := []any{}
		for _, item := range value {
			items = append(items, plain(item))
		}
		return items
	default:
		return value
	}
}

// writtenAs returns the value of a profile, or of a part of one, as its file shows it: structs without the fields that
// are zero.
func writtenAs(v reflect.Value) (any, error) {
	switch known := v.Interface().(type) {
	case profile.AccessibleFrom:
		return known.Value(), nil
	case profile.AccessMode:
		return csi.VolumeCapability_AccessMode_Mode(known).String(), nil
	case time.Duration:
		return known.String(), nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		return writtenAs(v.Elem())
	case reflect.Struct:
		fields := mapping{}
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				continue
			}
			value, err := writtenAs(v.Field(i))
			if err != nil {
				return nil, err
			}
			fields = append(fields, yaml.MapItem{Key: v.Type().Field(i).Tag.Get("yaml"), Value: value})
		}
		return fields, nil
	case reflect.Slice:
		items := []any{}
		for i := range v.Len() {
			value, err := writtenAs(v.Index(i))
			if err != nil {
				return nil, err
			}
			items = append(items, value)
		}
		return items, nil
	case reflect.Map:
		fields := mapping{}
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			fields = append(fields, yaml.MapItem{Key: key.String(), Value: v.MapIndex(key).Interface()})
		}
		return fields, nil
	case reflect.String:
		return v.String(), nil
	case reflect.Bool, reflect.Int, reflect.Int64:
		return v.Interface(), nil
	default:
		return nil, fmt.Errorf("writing the profile: there is no form for a %s", v.Type())
	}
}
