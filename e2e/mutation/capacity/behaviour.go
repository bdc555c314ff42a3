// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

type (
	question = csi.GetCapacityRequest
	answer   = csi.GetCapacityResponse
)

// books are the bytes by which a driver's accounts are wrong, by zone.
type books map[string]int64

// enter enters the bytes of the volume in all of its zones.
func (b books) enter(v *csi.Volume, bytes int64) {
	for _, topology := range v.GetAccessibleTopology() {
		b[mutation.ZoneOf(topology)] += bytes
	}
}

// wrong returns a driver whose available capacity is wrong by the bytes in the books.
func (b books) wrong() mutation.Fault {
	return mutation.Answering(func(r *question, told *answer) {
		for _, zone := range slices.Sorted(maps.Keys(b)) {
			if r.GetAccessibleTopology() == nil || mutation.ZoneOf(r.GetAccessibleTopology()) == zone {
				told.AvailableCapacity -= b[zone]
			}
		}
	})
}

// deleted calls then after the deletion of a volume.
func deleted(then func(volumeID string)) mutation.Fault {
	return mutation.OnOK(func(r *csi.DeleteVolumeRequest) { then(r.GetVolumeId()) })
}

func forTwoZones(r *question) bool { return r.GetParameters()["zones"] == "2" }

// paced returns drivers whose GetCapacity is as slow as with some back ends, and installations of two sizes.
func paced() map[string]mutation.Expectation {
	// The larger installation is from topolvm#1201.
	slow := mutation.Wrong(taking(20*time.Millisecond), mutation.Warns("capacity_keeps_up", "K8S-D19")).Seen("topolvm#1201")
	slow.Target = ofScale(profile.Scale{Topologies: 1840, StorageClasses: 2})
	enough := mutation.Wrong(taking(20*time.Millisecond), mutation.Passes("capacity_keeps_up"))
	enough.Target = ofScale(profile.Scale{Topologies: 500, StorageClasses: 2})
	return map[string]mutation.Expectation{
		"takes 20 ms for GetCapacity, with 1,840 nodes": slow,
		"takes 20 ms for GetCapacity, with 500 nodes":   enough,
	}
}

// pacedOfVolumes returns drivers whose CreateVolume, or each entry of ListVolumes, is as slow as with some back ends.
// Drivers that handle calls one at a time are wrong where concurrent ones of the same pace are right.
func pacedOfVolumes() map[string]mutation.Expectation {
	const pause, entry = 120 * time.Millisecond, 5 * time.Millisecond
	creating := mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		<-time.After(pause)
		return right.CreateVolume(ctx, r)
	})
	listing := mutation.Answering(func(_ *csi.ListVolumesRequest, told *csi.ListVolumesResponse) {
		<-time.After(time.Duration(len(told.GetEntries())) * entry)
	})
	long := mutation.Wrong(listing, mutation.Warns("list_keeps_up", "K8S-I15"))
	long.Target = ofScale(profile.Scale{Volumes: 20_000})
	return map[string]mutation.Expectation{
		"takes 120 ms for CreateVolume, one after another":       mutation.Wrong(creating.Serially(), mutation.Warns("creation_keeps_up", "K8S-O24")),
		"takes 120 ms for CreateVolume":                          mutation.Wrong(creating, mutation.Passes("creation_keeps_up")),
		"takes 5 ms for each entry of a list, of 20,000 volumes": long,
		"takes 5 ms for each entry of a list":                    mutation.Wrong(listing, mutation.Passes("list_keeps_up")),
	}
}

func ofScale(scale profile.Scale) func(*harness.Target) {
	return func(t *harness.Target) { t.Profile.Scale = scale }
}

// taking makes a driver that answers GetCapacity after the given time.
func taking(d time.Duration) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *question) (*answer, error) {
		<-time.After(d)
		return right.GetCapacity(ctx, r)
	})
}
