package volume

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// fits expects the size of something to be in the range. A size of 0 says that it is not known, which is allowed (VOL-01).
func fits(what string, size int64, asked *csi.CapacityRange) {
	ginkgo.GinkgoHelper()
	if size == 0 {
		return
	}
	gomega.Expect(size).To(gomega.BeNumerically(">=", asked.GetRequiredBytes()), "%s is required_bytes at least (CR-03)", what)
	if limit := asked.GetLimitBytes(); limit > 0 {
		gomega.Expect(size).To(gomega.BeNumerically("<=", limit), "%s is limit_bytes at most (CR-05)", what)
	}
}

// known is the size of a volume that the case goes on from; it ends as skipped where the driver does not tell.
func known(volume *csi.Volume) int64 {
	size := volume.GetCapacityBytes()
	if size == 0 {
		verdict.Skip(verdict.ByCapability, "volume %s is of unknown size: its capacity_bytes is 0, which is allowed (VOL-01)", volume.GetVolumeId())
	}
	return size
}
