// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/csi-topo/csi-topo/e2e/suite"

// Case is one question that the suite asks of a driver.
type Case = suite.Case[*Driver]

// Area is a group of cases. The report groups its cases the same way.
type Area = suite.Area[*Driver]
