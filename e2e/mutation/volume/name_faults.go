// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfNames returns drivers that handle names wrongly.
func wrongOfNames() map[string]mutation.Expectation {
	const longest = 128
	return map[string]mutation.Expectation{
		"answers a taken name whatever is asked": mutation.Wrong(
			mutation.Retrying(codes.AlreadyExists, func(r *creation) { r.CapacityRange, r.Parameters = nil, nil }),
			mutation.Fails("name_taken_larger name_taken_smaller", "CREATE-06"),
			mutation.Fails("name_taken_parameters", "CREATE-06")),
		"wants a repeated name to be asked for as the first time": mutation.Wrong(remembersNames(),
			mutation.Fails("name_taken_compatible", "CV-03"), mutation.Fails("name_free_after_deletion", "CREATE-06")),
		"wants a repeated name to leave room below limit_bytes": mutation.Wrong(
			mutation.Again((*creation).GetName, mutation.Ending(func(r *creation, response *created, err error) (*created, error) {
				if limit := r.GetCapacityRange().GetLimitBytes(); err == nil && limit > 0 && limit == response.GetVolume().GetCapacityBytes() {
					return nil, status.Error(codes.AlreadyExists, "the volume of the name is not smaller than limit_bytes")
				}
				return response, err
			})), mutation.Fails("name_taken_compatible", "CV-03")),
		"answers a taken name with a volume that is no block device": mutation.Wrong(unconfirming(func(r *question) bool {
			return slices.ContainsFunc(r.GetVolumeCapabilities(), func(c *csi.VolumeCapability) bool { return c.GetBlock() != nil })
		}), mutation.Warns("name_taken_capabilities", "CREATE-06")),
		"forgets the names that begin with the name of a deleted volume": mutation.Wrong(forgetsNames(strings.HasPrefix),
			mutation.Fails("name_free_after_deletion", "CV-03")),
		"forgets the names that the name of a deleted volume begins with": mutation.Wrong(forgetsNames(func(name, deleted string) bool { return strings.HasPrefix(deleted, name) }),
			mutation.Fails("name_free_after_deletion", "CV-03")),
		"takes short names only": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, unable, func(r *creation) bool { return len(r.GetName()) > 63 }),
			mutation.Warns("name_longest", "CV-24")),
		"makes its ids of names": mutation.Wrong(mutation.AnsweringVolume(func(r *creation, v *csi.Volume) {
			if len(r.GetName()) == longest {
				v.VolumeId += "-" + r.GetName()
			}
		}), mutation.Fails("name_longest volume_ids_unique", "GEN-04")),
		"cuts names": mutation.Wrong(
			mutation.Asking(func(r *creation) { r.Name = r.GetName()[:min(longest, len(r.GetName()))] }),
			mutation.Warns("name_too_long", "GEN-04")),
		"passes long names on": mutation.Wrong(mutation.AnsweringVolume(func(r *creation, v *csi.Volume) {
			if len(r.GetName()) > longest {
				v.VolumeId = r.GetName()
			}
		}).Over(mutation.Asking(func(r *creation) { r.Name = r.GetName()[:min(longest, len(r.GetName()))] })),
			mutation.Fails("name_too_long", "GEN-04")),
		"takes ASCII only": mutation.Wrong(mutation.RefusingSome(codes.InvalidArgument, unable, func(r *creation) bool {
			return strings.ContainsFunc(r.GetName(), func(c rune) bool { return c > unicode.MaxASCII })
		}), mutation.Warns("name_in_any_script", "CV-24")),
		"fails at a name that is not ASCII": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, unable, func(r *creation) bool {
				return strings.ContainsFunc(r.GetName(), func(c rune) bool { return c > unicode.MaxASCII && !unicode.IsControl(c) })
			}), mutation.Fails("name_in_any_script", "GEN-12")),
		"takes control characters": mutation.Wrong(
			mutation.Asking(func(r *creation) { r.Name = strings.ReplaceAll(r.GetName(), "\a", "") }),
			mutation.Warns("name_with_control_character", "CV-25")),
		"fails at a control character": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, unable, func(r *creation) bool { return strings.Contains(r.GetName(), "\a") }),
			mutation.Warns("name_with_control_character", "GEN-12")),
	}
}

// forgetsNames makes a driver that creates another volume for a name that is like the name of a deleted one.
func forgetsNames(like func(name, deleted string) bool) mutation.Fault {
	names, removed := map[string]string{}, map[string]bool{} // of volumes, by id, and of deleted ones
	return mutation.On(func(ctx context.Context, driver right, r *creation) (*created, error) {
		name := r.GetName()
		for deleted := range removed {
			if name != deleted && like(name, deleted) {
				r.Name = name + "-again"
			}
		}
		response, err := driver.CreateVolume(ctx, r)
		names[response.GetVolume().GetVolumeId()] = name
		return response, err
	}).And(mutation.OnOK(func(r *deletion) {
		if name, found := names[r.GetVolumeId()]; found {
			removed[name] = true
		}
	}))
}

func remembersNames() mutation.Fault {
	first := map[string]*csi.CapacityRange{}
	return mutation.RefusingSome(codes.AlreadyExists, unable, func(r *creation) bool {
		remembered, found := first[r.GetName()]
		if !found {
			first[r.GetName()] = r.GetCapacityRange()
		}
		return found && !proto.Equal(remembered, r.GetCapacityRange())
	})
}
