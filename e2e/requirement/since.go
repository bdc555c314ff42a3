// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"fmt"
	"slices"
	"strings"
)

// newestMinor is the minor version of the newest CSI specification in the register.
const newestMinor = 13

// Versions returns the versions of the CSI specification that drivers may implement, the oldest first: 1.0, 1.1 and so
// on.
func Versions() []string {
	all := make([]string, 0, newestMinor+1)
	for minor := range newestMinor + 1 {
		all = append(all, fmt.Sprintf("1.%d", minor))
	}
	return all
}

// Newest returns the newest of Versions.
func Newest() string { return Versions()[newestMinor] }

// CheckVersion returns an error if it is not one of Versions.
func CheckVersion(csi string) error {
	if !slices.Contains(Versions(), csi) {
		return fmt.Errorf("%q is no version of the CSI specification that csi-topo knows: want one of %s", csi, strings.Join(Versions(), ", "))
	}
	return nil
}

// NewerThan reports whether the requirement was introduced after the version of the CSI specification, which is one of
// Versions. A behaviour of Kubernetes is never newer.
func (r Requirement) NewerThan(csi string) bool {
	return slices.Index(Versions(), r.Since) > slices.Index(Versions(), csi)
}

// AllNewer reports whether all of a case's requirements were introduced after the version of the CSI specification, and
// returns the first of them. The general rules for every call, GEN-, do not count: newer calls must follow them too.
func AllNewer(ids []string, csi string) (first Requirement, all bool) {
	for _, id := range ids {
		if strings.HasPrefix(id, "GEN-") {
			continue
		}
		r, _ := ByID(id)
		if !r.NewerThan(csi) {
			return Requirement{}, false
		}
		if first.ID == "" {
			first = r
		}
	}
	return first, first.ID != ""
}
