// SPDX-License-Identifier: Apache-2.0

package right

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func requiring() []Driver {
	return []Driver{{
		Name: "needs-requirement",
		Is:   "refuses CreateVolume without accessibility_requirements: that it chooses then is a MAY (line 903), and Kubernetes always sends some",
		Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.RefusingSome(codes.InvalidArgument, "accessibility_requirements are missing",
			func(r *csi.CreateVolumeRequest) bool { return r.GetAccessibilityRequirements() == nil })},
	}}
}
