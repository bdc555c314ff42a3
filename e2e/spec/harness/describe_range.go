// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// DescribeRange says what a capacity_range asks for.
func DescribeRange(asked *csi.CapacityRange) string {
	if asked == nil {
		return "no capacity_range"
	}
	var fields []string
	if bytes := asked.GetRequiredBytes(); bytes != 0 {
		fields = append(fields, fmt.Sprintf("required_bytes %d", bytes))
	}
	if bytes := asked.GetLimitBytes(); bytes != 0 {
		fields = append(fields, fmt.Sprintf("limit_bytes %d", bytes))
	}
	if len(fields) == 0 {
		return "an empty capacity_range"
	}
	return strings.Join(fields, " and ")
}
