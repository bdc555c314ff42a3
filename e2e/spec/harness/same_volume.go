package harness

import (
	"fmt"
	"maps"

	"github.com/onsi/gomega/types"
)

// BeTheSameVolumeAs succeeds when an Answer has the volume_id, the accessible_topology and the volume_context of an
// earlier one.
func BeTheSameVolumeAs(earlier Answer) types.GomegaMatcher {
	return sameVolume{earlier}
}

type sameVolume struct{ earlier Answer }

// Match compares the two answers.
func (m sameVolume) Match(actual any) (bool, error) {
	got, ok := actual.(Answer)
	if !ok {
		return false, fmt.Errorf("BeTheSameVolumeAs judges an Answer of CreateVolume, not a %T", actual)
	}
	return got.VolumeID == m.earlier.VolumeID && got.Segments.Equal(m.earlier.Segments) && maps.Equal(got.Context, m.earlier.Context), nil
}

// FailureMessage shows both answers.
func (m sameVolume) FailureMessage(actual any) string {
	return fmt.Sprintf("CreateVolume was asked again under the name %s\nfirst: %s\nagain: %s\nwhich should be the same volume_id, accessible_topology (CV-03) and volume_context (VOL-12)",
		m.earlier.Name, m.earlier.volume(), actual.(Answer).volume())
}

// NegatedFailureMessage shows both answers.
func (m sameVolume) NegatedFailureMessage(actual any) string {
	return m.FailureMessage(actual)
}

func (a Answer) volume() string {
	return fmt.Sprintf("volume_id %q, volume_context %v, %s", a.VolumeID, a.Context, a)
}
