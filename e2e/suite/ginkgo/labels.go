// SPDX-License-Identifier: Apache-2.0

package ginkgo

import (
	"fmt"

	"github.com/onsi/ginkgo/v2/types"
)

// LabelFilter returns a function that reports whether labels match the filter in Ginkgo's grammar, such as "req:TR-07
// && !slow". The empty filter matches all.
func LabelFilter(filter string) (matches func(labels []string) bool, err error) {
	parsed, err := types.ParseLabelFilter(filter)
	if err != nil {
		return nil, fmt.Errorf("label filter %q is not one that Ginkgo understands", filter)
	}
	return parsed, nil
}
