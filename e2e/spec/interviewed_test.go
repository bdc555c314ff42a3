// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/draft"
	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/interview"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/right"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// interviewed returns right drivers that the suite only knows by the profile that `csi-topo profile init` writes.
func interviewed() map[string]mutation.Driver {
	drivers := map[string]mutation.Driver{}
	for _, driver := range right.Drivers() {
		variant := driver.With(driver.Sets()[0])
		running := variant.Running
		variant.Running = func(driver *embedded.Driver, target *harness.Target) {
			running(driver, target)
			target.Profile = asked(target)
		}
		drivers["interviewed/"+driver.Name] = variant
	}
	return drivers
}

// telling lists the shapes of driver that an interview has to recognize.
var telling = []string{"zonal", "whole-units", "no-topology", "behind-all-zones", "block-only", "many-nodes-only"}

// asked returns the profile that an interview of the target makes, written and read again.
func asked(target *harness.Target) profile.Profile {
	unknown := *target
	unknown.Profile = profile.Of("hostpath.topo.csi")
	found, err := interview.Ask(context.Background(), harness.New(&unknown))
	if err != nil {
		panic(fmt.Errorf("asking the driver: %w", err))
	}
	drafted := &draft.Draft{}
	found.Describe(drafted)
	text, err := drafted.YAML()
	if err != nil {
		panic(err)
	}
	read, err := profile.Parse("asked.yaml", text)
	if err != nil {
		panic(err)
	}
	return read
}

// TestInterviewedDrivers checks that no case fails a right driver with the profile that `csi-topo profile init` writes for
// it.
func TestInterviewedDrivers(t *testing.T) {
	t.Parallel()
	drivers := interviewed()
	for _, name := range telling {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantClean(t, spectest.Run(t, areasFor(name), drivers["interviewed/"+name]))
		})
	}
}

// TestInterviewFindsTheForm checks that an interview creates a volume on drivers that accept only one form of requirement.
func TestInterviewFindsTheForm(t *testing.T) {
	t.Parallel()
	drivers := interviewed()
	for _, name := range []string{"needs-requirement", "no-requirements", "one-topology-in-both", "all-topologies-in-both", "requisite-alone"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			variant := drivers["interviewed/"+name]
			running := variant.Running
			variant.Running = func(driver *embedded.Driver, target *harness.Target) {
				if running(driver, target); !target.Profile.Block {
					t.Errorf("no volume was created: %+v", target.Profile)
				}
			}
			variant.Only = []string{"identity_version"}
			wantClean(t, spectest.Run(t, spec.Areas(), variant))
		})
	}
}

// TestInterviewFindsTheSize checks that an interview requests larger volumes from a driver that refuses small ones
// with a code that does not say that they are too small.
func TestInterviewFindsTheSize(t *testing.T) {
	t.Parallel()
	const want = 64 << 20
	tooSmall := func(r *csi.CreateVolumeRequest) bool { return r.GetCapacityRange().GetRequiredBytes() < want }
	for _, code := range []codes.Code{codes.Internal, codes.Unknown, codes.InvalidArgument} {
		t.Run(code.String(), func(t *testing.T) {
			t.Parallel()
			spectest.Run(t, spec.Areas(), mutation.Driver{
				Fault: mutation.RefusingSome(code, "invalid size", tooSmall),
				Running: func(_ *embedded.Driver, target *harness.Target) {
					if got := asked(target); got.VolumeBytes != want || !got.HasMount() {
						t.Errorf("got volumes of %d bytes, mounted: %t, want %d", got.VolumeBytes, got.HasMount(), want)
					}
				},
				Only: []string{"identity_version"},
			})
		})
	}
}
