// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Public returns the YAML of a profile that Load reads, in the form of reports: without comments, and without the values of
// secrets.
func Public(nameOrFile string) (string, error) {
	data, err := Text(nameOrFile)
	if err != nil {
		return "", err
	}
	var fields map[string]any
	if err := yaml.Unmarshal(data, &fields); err != nil {
		return "", fmt.Errorf("reading the profile %s: %w", nameOrFile, err)
	}
	if secrets, has := fields["secrets"]; has {
		fields["secrets"] = concealed(secrets)
	}
	public, err := yaml.Marshal(fields)
	if err != nil {
		return "", fmt.Errorf("writing the profile %s: %w", nameOrFile, err)
	}
	return string(public), nil
}

// concealed returns the value with each text in it replaced.
func concealed(value any) any {
	fields, isMap := value.(map[string]any)
	if !isMap {
		return "concealed"
	}
	for key, within := range fields {
		fields[key] = concealed(within)
	}
	return fields
}
