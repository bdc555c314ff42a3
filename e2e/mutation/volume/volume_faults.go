// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfVolumes returns drivers that describe their volumes wrongly.
func wrongOfVolumes() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"does not make volumes": mutation.Wide(mutation.RefusingAll[*creation](codes.Unimplemented, unable),
			mutation.Fails("volume_created", "CV-01")),
		"gives no volume_id": mutation.Wide(mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { v.VolumeId = "" }),
			mutation.Fails("volume_created", "VOL-03")),
		"says that a volume has less than no bytes": mutation.Wide(
			mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { v.CapacityBytes = -1 }),
			mutation.Fails("volume_created size_omitted", "VOL-02")),
		"makes another volume of a repeated name": mutation.Wide(anotherOfTheName(),
			mutation.Fails("volume_same_name", "CV-02"), mutation.Fails("mutable_at_creation", "CV-03"),
			mutation.Passes("delete_published")),
		"reports another volume_context with each answer": mutation.Wrong(withChangingContext(),
			mutation.Fails("volume_same_name", "VOL-12")),
		"says of a repeated name that its volume is larger": mutation.Wrong(
			repeating(func(v *csi.Volume) { v.CapacityBytes++ }), mutation.Fails("volume_same_name", "CV-02")),
		"does not say of a repeated name how large its volume is": mutation.Wrong(
			repeating(func(v *csi.Volume) { v.CapacityBytes = 0 }), mutation.Passes("volume_same_name")),
		"uses up more storage with a repeated name": mutation.Wrong(takesMore(), mutation.Warns("volume_same_name", "CV-07")),
		"gives one volume_id to all": mutation.Wide(
			mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { v.VolumeId = "the-volume" }),
			mutation.Fails("volume_ids_unique", "VOL-04")),
		"takes names that differ in letter case for one": mutation.Wrong(
			mutation.Asking(func(r *creation) { r.Name = strings.ToLower(r.GetName()) }),
			mutation.Fails("volume_ids_unique", "VOL-04")).Seen("k8s-csi-s3 cd2d29f"),
		"takes names that differ in separators for one": mutation.Wrong(
			mutation.Asking(func(r *creation) { r.Name = strings.NewReplacer(".", "-", "_", "-").Replace(r.GetName()) }),
			mutation.Fails("volume_ids_unique", "VOL-04")),
		"takes names that differ after 63 bytes for one": mutation.Wrong(mutation.Asking(func(r *creation) {
			if name := r.GetName(); 63 < len(name) && len(name) <= 128 {
				r.Name = name[:63]
			}
		}), mutation.Fails("volume_ids_unique", "VOL-04")),
		"takes names that differ in what is no ASCII for one": mutation.Wrong(
			mutation.Asking(func(r *creation) { r.Name = strings.ReplaceAll(r.GetName(), "·", "_") }),
			mutation.Fails("volume_ids_unique", "VOL-04")),
		"knows no volume without its context": mutation.Wide(
			knowsByContext(mutation.RefusingAll[*question](codes.NotFound, "there is no such volume")),
			mutation.Warns("volume_id_alone", "VOL-11")),
		"confirms nothing of a volume without its context": mutation.Wide(
			knowsByContext(mutation.Instead(func(*question) *confirmed { return &confirmed{Message: "volume_context is missing"} })),
			mutation.Warns("volume_id_alone", "VOL-11")),
	}
}

func anotherOfTheName() mutation.Fault {
	calls := 0
	return mutation.Asking(func(r *creation) {
		calls++
		r.Name = fmt.Sprintf("%s-%d", r.GetName(), calls)
	})
}

// repeating makes a driver that describes a volume differently when its name is repeated.
func repeating(change func(*csi.Volume)) mutation.Fault {
	return mutation.Again((*creation).GetName, mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { change(v) }))
}

func withChangingContext() mutation.Fault {
	answers := 0
	count := func(v *csi.Volume) {
		answers++
		v.VolumeContext = map[string]string{"answer": fmt.Sprint(answers)}
	}
	// The rest of the driver does not know that context.
	return mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { count(v) }).And(mutation.WithoutContext()).
		And(mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
			count(response.GetVolume())
		}))
}

func takesMore() mutation.Fault {
	first, more := map[string]bool{}, map[string][]string{}
	return mutation.On(func(ctx context.Context, driver right, r *creation) (*created, error) {
		response, err := driver.CreateVolume(ctx, r)
		if err != nil {
			return nil, err
		}
		id := response.GetVolume().GetVolumeId()
		if first[id] {
			r.Name = fmt.Sprintf("%s-%d", r.GetName(), len(more[id]))
			another, err := driver.CreateVolume(ctx, r)
			if err != nil {
				return nil, err
			}
			more[id] = append(more[id], another.GetVolume().GetVolumeId())
		}
		first[id] = true
		return response, nil
	}).And(mutation.On(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
		response, err := driver.DeleteVolume(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, id := range more[r.GetVolumeId()] {
			if _, err := driver.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
				return nil, err
			}
		}
		return response, nil
	}))
}

// knowsByContext makes a driver that finds a volume by its context, and answers ValidateVolumeCapabilities wrongly without
// it.
func knowsByContext(otherwise mutation.Fault) mutation.Fault {
	return mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { v.VolumeContext = map[string]string{"pool": "1"} }).
		And(mutation.Where(func(r *question) bool { return len(r.GetVolumeContext()) == 0 }, otherwise).
			Over(mutation.WithoutContext()))
}
