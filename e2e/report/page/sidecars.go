// SPDX-License-Identifier: Apache-2.0

package page

import (
	"maps"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// sidecarsOf returns the versions of the sidecars, which are the tags of their images.
func sidecarsOf(r *report.ConformanceReport) []fact {
	var found []fact
	for _, name := range slices.Sorted(maps.Keys(r.Environment.Sidecars)) {
		image := r.Environment.Sidecars[name]
		if at := strings.LastIndexAny(image, ":/"); at >= 0 && image[at] == ':' {
			image = image[at+1:]
		}
		found = append(found, fact{name, image})
	}
	return found
}
