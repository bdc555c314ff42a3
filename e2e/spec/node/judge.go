package node

import (
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// unknownMode is an access mode that no specification has.
const unknownMode csi.VolumeCapability_AccessMode_Mode = 1000

// keysOf are the segment's topology keys in their order.
func keysOf(segment model.Segment) []string {
	return slices.Sorted(maps.Keys(segment))
}

// answer is the status of a call in words.
func answer(err error) string {
	return fmt.Sprintf("%s: %q", model.CodeName(status.Code(err)), status.Convert(err).Message())
}

// nonsense says in what a usage contradicts itself or the specification.
func nonsense(usage *csi.VolumeUsage) []string {
	var found []string
	if usage.GetUnit() == csi.VolumeUsage_UNKNOWN {
		found = append(found, "unit is REQUIRED (GEN-05), and is UNKNOWN")
	}
	if usage.GetUnit() == csi.VolumeUsage_BYTES && usage.GetTotal() == 0 {
		found = append(found, "total is REQUIRED (GEN-05), and is 0 bytes")
	}
	for _, value := range []struct {
		name  string
		value int64
	}{{"total", usage.GetTotal()}, {"used", usage.GetUsed()}, {"available", usage.GetAvailable()}} {
		if value.value < 0 {
			found = append(found, value.name+" must not be negative")
		}
		if value.value > usage.GetTotal() {
			found = append(found, value.name+" is more than total")
		}
	}
	return found
}

// problem is what names a problem of a volume or of storage: no two of an answer have the same.
type problem struct {
	status fmt.Stringer
	reason string
	// of is the capability that has the problem, where only one has it.
	of string
}

// misnamed are the problems that have no status or no reason, or that occur twice.
func misnamed(problems []problem) []problem {
	var found []problem
	seen := map[problem]bool{}
	for _, p := range problems {
		if seen[p] || p.reason == "" || p.status == csi.VolumeHealthErrorType_UNKNOWN_VOLUME_HEALTH_TYPE ||
			p.status == csi.StorageHealthErrorType_UNKNOWN_STORAGE_HEALTH_ERROR_TYPE {
			found = append(found, p)
		}
		seen[p] = true
	}
	return found
}
