package listing

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// healthOf asks for the health of one volume.
func healthOf(ctx context.Context, under *harness.Driver, id string) (*csi.ControllerGetVolumeHealthResponse, error) {
	return under.Controller.ControllerGetVolumeHealth(ctx, &csi.ControllerGetVolumeHealthRequest{VolumeId: id})
}

// listHealth asks for one page of the health of volumes.
func listHealth(ctx context.Context, under *harness.Driver, most int32, token string) (*csi.ControllerListVolumeHealthResponse, error) {
	return under.Controller.ControllerListVolumeHealth(ctx, &csi.ControllerListVolumeHealthRequest{MaxEntries: most, StartingToken: token})
}

// walkHealth reads the health of all volumes page by page.
func walkHealth(ctx context.Context, under *harness.Driver, most int32) []*csi.VolumeHealth {
	ginkgo.GinkgoHelper()
	var all []*csi.VolumeHealth
	eachPage(func(token string) string {
		page, err := listHealth(ctx, under, most, token)
		gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("LIST_VOLUME_HEALTH is claimed (VH-01), and starting_token %q is none or a next_token (VH-06)", token)))
		if most > 0 {
			gomega.Expect(len(page.GetEntries())).To(gomega.BeNumerically("<=", most), "no more than max_entries are returned (VH-05)")
		}
		all = append(all, page.GetEntries()...)
		return page.GetNextToken()
	})
	return all
}

// malformed is what is wrong with the form of a volume's health, in sentences.
func malformed(health *csi.VolumeHealth) []string {
	var found []string
	if health.GetVolumeId() == "" {
		found = append(found, "volume_id is REQUIRED (VH-07)")
	}
	type identity struct {
		status csi.VolumeHealthErrorType
		reason string
	}
	seen := map[identity]bool{}
	for _, entry := range health.GetHealthStatuses() {
		if entry.GetStatus() == csi.VolumeHealthErrorType_UNKNOWN_VOLUME_HEALTH_TYPE || entry.GetReason() == "" {
			found = append(found, fmt.Sprintf("an entry has a status and a reason (VH-08): %v", entry))
		}
		this := identity{entry.GetStatus(), entry.GetReason()}
		if seen[this] {
			found = append(found, fmt.Sprintf("no two entries of one volume have the same status and reason (VH-09): %v", entry))
		}
		seen[this] = true
	}
	return found
}
