// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustBeListed ends the case, which is not about the list, if the list could not be read. The first case that finds this is
// run again, without the list if possible.
func MustBeListed(d *Driver, err error) {
	if err == nil {
		return
	}
	if pages.IsUnusable(err) && len(d.Pages.AllUnusable()) == d.unusableLists {
		suite.Skip(suite.ByCapability, "the case needs one of the driver's lists, which does not work: %v", err)
	}
	d.unlisted.Store(true)
	attempt.MustBeAnswered(err)
	suite.CouldNotTell("a list of the driver that the case needs could not be read: %v", err)
}
