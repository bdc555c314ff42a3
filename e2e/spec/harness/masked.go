// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// Mask returns a mask that hides the secrets of the profile, which a driver may repeat in its answers, in everything that a
// run keeps or shows. It is nil if the profile has none.
func (s *Suite) Mask() *foreign.Mask {
	s.masking.Do(func() { s.mask = MaskOf(s.target.Profile) })
	return s.mask
}

// MaskOf hides the values of the profile's secrets, except for values that are not secret: values that the profile has
// elsewhere, such as the name of a pool, and words that the suite uses. It is nil without any.
func MaskOf(described profile.Profile) *foreign.Mask {
	values := described.Secrets.Values()
	if len(values) == 0 {
		return nil
	}
	described.Secrets = profile.Secrets{}
	plain := []string{"true", "false", "null"}
	if text, err := yaml.Marshal(described); err == nil {
		plain = append(plain, string(text))
	}
	for _, r := range requirement.All() {
		plain = append(plain, r.Text)
	}
	return foreign.NewMask(values, strings.Join(plain, "\n"))
}
