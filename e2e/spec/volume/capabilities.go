// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	writer     = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	readerOnly = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
)

// capabilities returns the cases about volume_capabilities: a volume has all that are requested, or the call is
// refused.
func capabilities() []harness.Case {
	return []harness.Case{capabilitiesAllHeld(), capabilitiesAnyUsed(), capabilitiesOneUnsupported(), capabilitiesFileSystem(), capabilitiesAccessType(), capabilitiesEachMode(), capabilitiesOlderMode()}
}

// inMode returns the driver's Capability with another access mode.
func inMode(driver *harness.Driver, mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
	return messages.As(driver.Capability(), mode)
}

// writerAndReader returns two capabilities; a driver may support only the first for one volume. If the profile says that
// volumes have the second, the case is skipped.
func writerAndReader(driver *harness.Driver) []*csi.VolumeCapability {
	return []*csi.VolumeCapability{driver.Capability(), driver.Reader()}
}

// warnUnlessConfirmed warns by the clause if the driver does not confirm capabilities that CreateVolume accepted. It is not
// a failure, because a driver need not confirm everything that it supports: "confirmed only if".
func warnUnlessConfirmed(ctx context.Context, driver *harness.Driver, volume *csi.Volume, clause string, wanted ...*csi.VolumeCapability) {
	answer := harness.NeedOK(driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, wanted...)))
	suite.Should(ctx, clause, len(answer.GetConfirmed().GetVolumeCapabilities()) > 0,
		"CreateVolume accepted the volume_capabilities, the last of which is %s, and ValidateVolumeCapabilities does not confirm them: %q", wanted[len(wanted)-1].GetAccessMode().GetMode(), answer.GetMessage())
}

func capabilitiesAllHeld() harness.Case {
	return harness.Case{
		ID:           "capabilities_all_held",
		Text:         "creates a volume with all volume_capabilities, or returns INVALID_ARGUMENT",
		Requirements: []string{"CV-12", "CV-13", "CV-15", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			request.VolumeCapabilities = writerAndReader(driver)
			response, err := driver.Controller.CreateVolume(ctx, request)

			if err != nil {
				skipWithoutRoom(err)
				harness.ExpectRefused(ctx, "CV-13", err, "volume_capabilities that are not supported are INVALID_ARGUMENT", codes.InvalidArgument)
				return
			}
			warnUnlessConfirmed(ctx, driver, response.GetVolume(), "CV-12", request.GetVolumeCapabilities()...)
		},
	}
}

// capabilitiesAnyUsed publishes a volume with each capability that it was created with, one after another: first with write
// access, which creates the file system.
func capabilitiesAnyUsed() harness.Case {
	return harness.Case{
		ID:           "capabilities_any_used",
		Text:         "publishes a volume with any capability that it was created with, also with the other access type, and on another node",
		Requirements: []string{"CV-12", "CV-14", "CV-15"},
		Needs:        harness.Needs(harness.Nodes(1), harness.Volumes(1)),
		Long:         true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			published := publishEach(ctx, driver, writerAndReader(driver))
			if driver.Profile().Block && driver.Profile().HasMount() {
				published = publishEach(ctx, driver, []*csi.VolumeCapability{driver.Mount(), driver.Block()}) || published
				published = publishEach(ctx, driver, []*csi.VolumeCapability{driver.Block(), driver.Mount()}) || published
			}
			if !published {
				suite.Skip(suite.ByCapability, "the driver has no volumes for several such capabilities: CreateVolume returns INVALID_ARGUMENT")
			}
		},
	}
}

// publishEach creates a volume with the capabilities and publishes it with each of them: on one node with the first, and on
// another, if that reaches the volume, with the others and then the first again. It reports whether the driver has such volumes.
func publishEach(ctx context.Context, driver *harness.Driver, capabilities []*csi.VolumeCapability) bool {
	request := driver.CreateVolumeRequest(publication.ForTwo(driver))
	request.VolumeCapabilities = capabilities
	response, err := driver.Controller.CreateVolume(ctx, request)
	if status.Code(err) == codes.InvalidArgument {
		return false
	}
	skipWithoutRoom(err)
	volume := harness.NeedOK(response, err).GetVolume()
	nodes := []*harness.Node{publication.For(driver.Nodes[0], volume)}
	if reaching, _ := publication.Reaching(driver, volume.GetAccessibleTopology()); len(reaching) > 1 {
		nodes, capabilities = reaching[:2], append(slices.Clone(capabilities), capabilities[0])
	}
	for i, capability := range capabilities {
		node := nodes[min(i, len(nodes)-1)]
		publication.TakeAway(ctx, node, volume, publication.PublishJudged(ctx, node, volume, capability, publication.ExpectUsable(capability)))
	}
	return true
}

// capabilitiesOlderMode asks for the access mode of older COs.
func capabilitiesOlderMode() harness.Case {
	return harness.Case{
		ID:           "capabilities_older_mode",
		Text:         "accepts SINGLE_NODE_WRITER if it claims SINGLE_NODE_MULTI_WRITER",
		Requirements: []string{"CV-26"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			deletion.Need(ctx, driver, mustCreateInNewerMode(ctx, driver))

			older := creation(driver)
			older.VolumeCapabilities = []*csi.VolumeCapability{inMode(driver, writer)}
			response, err := driver.Controller.CreateVolume(ctx, older)
			if status.Code(err) == codes.InvalidArgument {
				harness.ExpectOK("CV-26", err, "SINGLE_NODE_MULTI_WRITER is claimed, so SINGLE_NODE_WRITER must be accepted too")
			}
			skipWithoutRoom(err)
			harness.NeedOK(response, err)
		},
	}
}

// mustCreateInNewerMode creates a volume of one of the access modes that replace SINGLE_NODE_WRITER. A driver that claims
// SINGLE_NODE_MULTI_WRITER may have either of them alone.
func mustCreateInNewerMode(ctx context.Context, driver *harness.Driver) *csi.Volume {
	newer := creation(driver)
	newer.VolumeCapabilities = []*csi.VolumeCapability{inMode(driver, csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER)}
	response, err := driver.Controller.CreateVolume(ctx, newer)
	if err == nil {
		return response.GetVolume()
	}
	newer.VolumeCapabilities = []*csi.VolumeCapability{inMode(driver, csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER)}
	return mustCreate(ctx, driver, newer)
}
