// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"encoding/json"
	"iter"
)

// Placement says where a case's volumes and pods were, in the order of time. Times are in seconds since the case began.
type Placement struct {
	Volumes []PlacedVolume `yaml:"volumes,omitempty" json:"volumes,omitempty"`
	Pods    []PlacedPod    `yaml:"pods,omitempty" json:"pods,omitempty"`
}

// PlacedVolume is one volume that the driver made for the case.
type PlacedVolume struct {
	// Name is the name of the claim, or the name in the CreateVolume request.
	Name string `yaml:"name" json:"name"`
	// Segments are the names of the segments that the volume is accessible from, in the form of the report's environment.
	Segments []string `yaml:"segments,flow,omitempty" json:"segments,omitempty"`
	Bytes    int64    `yaml:"bytes,omitempty" json:"bytes,omitempty"`
	// Since is when the claim was bound; 0 if that is not known.
	Since float64 `yaml:"since,omitempty" json:"since,omitempty"`
}

// PlacedPod is one pod of the case that was bound to a node.
type PlacedPod struct {
	Name    string `yaml:"name" json:"name"`
	Node    string `yaml:"node" json:"node"`
	Segment string `yaml:"segment,omitempty" json:"segment,omitempty"`
	// Volumes are the names of the pod's claims.
	Volumes []string `yaml:"volumes,flow,omitempty" json:"volumes,omitempty"`
	// Since is when the pod was bound to its node; Until is when it had ended or was deleted.
	Since float64 `yaml:"since" json:"since"`
	Until float64 `yaml:"until,omitempty" json:"until,omitempty"`
}

// Placing returns the placement of one case.
type Placing func() Placement

// Recording gives the calls of one case.
type Recording interface {
	// Len returns the number of calls.
	Len() int
	// All yields the calls, each a JSON object, until an error if they cannot be read.
	All() iter.Seq2[json.RawMessage, error]
}

// Recorded is a Recording of calls in memory.
type Recorded []json.RawMessage

// Len returns the number of calls.
func (r Recorded) Len() int { return len(r) }

// All yields the calls.
func (r Recorded) All() iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for _, call := range r {
			if !yield(call, nil) {
				return
			}
		}
	}
}
