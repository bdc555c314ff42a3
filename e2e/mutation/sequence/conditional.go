// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// The cases about conditions that occur together.
const (
	ofFileSystems = "combinations_file_system"
	ofDevices     = "combinations_block"
)

// Conditional returns drivers that are wrong only if two conditions occur together, which the cases about such conditions
// combine.
func Conditional() map[string]mutation.Expectation {
	wrong := func(fault mutation.Fault, cases ...mutation.Case) mutation.Expectation {
		wide := mutation.Wide(fault, cases...)
		wide.Target = func(t *harness.Target) { t.Unexplained = true }
		return wide
	}
	all := map[string]mutation.Expectation{
		"a copy that grows loses its data": wrong(emptied(func(k *known, request any) string {
			grow, ok := request.(*csi.ControllerExpandVolumeRequest)
			if !ok || !k.copies[grow.GetVolumeId()] {
				return ""
			}
			return grow.GetVolumeId()
		}), mutation.Fails(ofFileSystems, "VS-02 NS-20")).Seen("longhorn issue 11484"),
		"a volume is empty once a second target path is unpublished": wrong(emptied(func(k *known, request any) string {
			unpublish, ok := request.(*csi.NodeUnpublishVolumeRequest)
			if !ok || len(k.targets[unpublish.GetVolumeId()]) < 2 {
				return ""
			}
			return unpublish.GetVolumeId()
		}), mutation.Fails(ofFileSystems, "NS-20")),
		"a volume that is created again once it is published is empty": wrong(emptied(func(k *known, request any) string {
			create, ok := request.(*csi.CreateVolumeRequest)
			if !ok || len(k.targets[k.named[create.GetName()]]) == 0 {
				return ""
			}
			return k.named[create.GetName()]
		}), mutation.Fails(ofFileSystems, "NS-20")),
		"names in another case are one volume": wrong(mutation.Asking(func(r *csi.CreateVolumeRequest) { r.Name = strings.ToLower(r.GetName()) }),
			mutation.Fails(ofFileSystems, "VOL-04"), mutation.Fails(ofDevices, "CREATE-06 VOL-04")),
		"names are cut": wrong(mutation.Asking(func(r *csi.CreateVolumeRequest) {
			const most = 100
			r.Name = r.GetName()[:min(most, len(r.GetName()))]
		}), mutation.Fails(ofFileSystems+" "+ofDevices, "CREATE-06")),
		"a volume from a deleted source is not listed": wrong(orphansUnlisted(), mutation.Fails(ofFileSystems, "LV-01")),
	}
	contradictions := inStates()
	maps.Copy(contradictions, whereTwoMeet())
	maps.Copy(contradictions, ofCopiesAndNodes())
	for name, c := range contradictions {
		all[name] = wrong(c.fault, mutation.Fails(cmp.Or(c.cases, ofFileSystems), c.clause))
	}
	for name, c := range aboutOrphans() {
		all[name] = wrong(c.fault, mutation.Warns(cmp.Or(c.cases, ofFileSystems), c.clause))
	}
	return all
}

// known tracks the calls of a driver with a fault.
type known struct {
	mu      sync.Mutex
	copies  map[string]bool
	named   map[string]string
	targets map[string][]string
	// empty holds volumes whose data is lost before their next use.
	empty map[string]bool
}

// emptied makes a driver that loses the data of the volume that lost returns, before its next publication, or at once if it
// is published.
func emptied(lost func(k *known, request any) (volumeID string)) mutation.Fault {
	k := &known{copies: map[string]bool{}, named: map[string]string{}, targets: map[string][]string{}, empty: map[string]bool{}}
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (answer proto.Message, err error) {
		answer, err = call.Perform(ctx)
		if err != nil {
			return answer, err
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		if id := lost(k, call.Request); id != "" {
			k.empty[id] = true
		}
		k.note(call.Request, answer)
		for id := range k.empty {
			for _, target := range k.targets[id] {
				if err := mutation.RemoveFiles(target); err != nil {
					return answer, err
				}
				delete(k.empty, id)
			}
		}
		return answer, nil
	})
}

// note records a call that was answered OK.
func (k *known) note(request, answer any) {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		id := answer.(*csi.CreateVolumeResponse).GetVolume().GetVolumeId()
		k.named[r.GetName()] = id
		k.copies[id] = k.copies[id] || r.GetVolumeContentSource() != nil
	case *csi.NodePublishVolumeRequest:
		if r.GetVolumeCapability().GetMount() != nil && !slices.Contains(k.targets[r.GetVolumeId()], r.GetTargetPath()) {
			k.targets[r.GetVolumeId()] = append(k.targets[r.GetVolumeId()], r.GetTargetPath())
		}
	case *csi.NodeUnpublishVolumeRequest:
		k.targets[r.GetVolumeId()] = slices.DeleteFunc(k.targets[r.GetVolumeId()], func(target string) bool { return target == r.GetTargetPath() })
	}
}

func orphansUnlisted() mutation.Fault {
	var mu sync.Mutex
	of, deleted, orphans := map[string]string{}, map[string]bool{}, map[string]bool{}
	return mutation.Answering(func(r *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		mu.Lock()
		defer mu.Unlock()
		of[response.GetSnapshot().GetSnapshotId()] = r.GetSourceVolumeId()
	}).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) {
		mu.Lock()
		defer mu.Unlock()
		deleted[r.GetVolumeId()] = true
	})).And(mutation.Answering(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		mu.Lock()
		defer mu.Unlock()
		if source, ok := of[r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()]; ok && deleted[source] {
			orphans[response.GetVolume().GetVolumeId()] = true
		}
	})).And(mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
		mu.Lock()
		defer mu.Unlock()
		response.Entries = slices.DeleteFunc(response.Entries, func(e *csi.ListVolumesResponse_Entry) bool { return orphans[e.GetVolume().GetVolumeId()] })
	}))
}
