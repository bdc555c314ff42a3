// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"

	"google.golang.org/grpc/codes"
)

// Answer is an answer of CreateVolume: OK with the volume's segments, or another code with its message.
type Answer struct {
	Code codes.Code
	// Segments is the accessible_topology of an OK answer.
	Segments Set
	// Message is the status message of any other answer.
	Message string
}

// String returns the answer in one line.
func (a Answer) String() string {
	if a.Code == codes.OK {
		return "OK, accessible from " + a.Segments.String()
	}
	return fmt.Sprintf("%s: %q", CodeName(a.Code), a.Message)
}

// CodeName returns the code's name as the specification writes it, such as RESOURCE_EXHAUSTED.
func CodeName(code codes.Code) string {
	name := []byte{}
	for i, letter := range []byte(code.String()) {
		if upper := letter >= 'A' && letter <= 'Z'; upper && i > 0 && code != codes.OK {
			name = append(name, '_')
		}
		if letter >= 'a' && letter <= 'z' {
			letter -= 'a' - 'A'
		}
		name = append(name, letter)
	}
	return string(name)
}
