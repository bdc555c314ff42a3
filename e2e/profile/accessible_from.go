// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// everywhere is the word for Everywhere in a profile.
const everywhere = "everywhere"

// Value returns the value in a profile: a number, or everywhere; nil for 0, which is not written.
func (a AccessibleFrom) Value() any {
	switch a {
	case 0:
		return nil
	case Everywhere:
		return everywhere
	default:
		return int(a)
	}
}

// String returns the field in the form of a profile.
func (a AccessibleFrom) String() string {
	switch a {
	case 0:
		return "a kind without accessibleFrom"
	case Everywhere:
		return "accessibleFrom: " + everywhere
	default:
		return fmt.Sprintf("accessibleFrom: %d", int(a))
	}
}

// UnmarshalYAML reads a positive number, or the word everywhere.
func (a *AccessibleFrom) UnmarshalYAML(node *yaml.Node) error {
	value := shape(node)
	number, err := strconv.Atoi(value)
	switch {
	case value == everywhere:
		*a = Everywhere
	case err != nil || number < 1:
		return fmt.Errorf("accessibleFrom is %s: want a number of at least 1, or %s, or no accessibleFrom if the driver's answers report it", value, everywhere)
	default:
		*a = AccessibleFrom(number)
	}
	return nil
}
