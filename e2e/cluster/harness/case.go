// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/csi-topo/csi-topo/e2e/suite"

// Case is one scenario for a cluster and a driver. Its text is the rest of a sentence that begins with "the cluster, with
// the driver,", and its id is the name of its file.
type Case = suite.Case[*Scenario]

// Area is a group of cases. The report is grouped by areas too.
type Area = suite.Area[*Scenario]

// Need is one thing that a case requires of the driver, its profile, the cluster or the run.
type Need = suite.Need[*Scenario]
