// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// DescribeMap is a map of a message, such as parameters or a volume_context, as people write it.
func DescribeMap(m map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		pairs = append(pairs, key+"="+m[key])
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// DescribeCapability says how a volume is to be used.
func DescribeCapability(capability *csi.VolumeCapability) string {
	kind := "mount"
	switch {
	case capability.GetBlock() != nil:
		kind = "block"
	case capability.GetMount() == nil:
		kind = "without access_type"
	case capability.GetMount().GetFsType() != "":
		kind += " of fs_type " + capability.GetMount().GetFsType()
	}
	return fmt.Sprintf("%s %s", capability.GetAccessMode().GetMode(), kind)
}

// DescribeCapabilities says how a volume is to be used, in each of several ways.
func DescribeCapabilities(capabilities []*csi.VolumeCapability) string {
	texts := make([]string, 0, len(capabilities))
	for _, capability := range capabilities {
		texts = append(texts, DescribeCapability(capability))
	}
	return strings.Join(texts, " and ")
}
