// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// validating returns the cases about ValidateVolumeCapabilities, which confirms only capabilities that a volume has, and
// need not confirm all of them: "only if" is not "if".
func validating() []harness.Case {
	needs := harness.Volumes(1)
	return append(validatingFields(), []harness.Case{{
		ID:           "validate_confirms",
		Text:         "should confirm the capability that a volume was created with, among those that the plugin supports",
		Requirements: []string{"VV-01", "VV-02", "VV-03", "VV-04", "VV-05"},
		Needs:        needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume, asked := driver.NeedVolume(ctx, driver.Volume(1)), driver.Capability()
			request := validation.Request(driver, volume, asked)
			request.Parameters = nil // which is OPTIONAL

			response, err := driver.Controller.ValidateVolumeCapabilities(ctx, request)

			if status.Code(err) == codes.NotFound {
				harness.ExpectOK("VV-03", err, "NOT_FOUND is for a volume that does not exist, and volume "+volume.GetVolumeId()+" exists")
			}
			harness.ExpectOK("VV-04", err, "a plugin implements ValidateVolumeCapabilities, and volume "+volume.GetVolumeId()+" exists")
			if response.GetConfirmed() == nil {
				suite.Warn(ctx, "VV-01", "volume %s was created with the capability %s, and ValidateVolumeCapabilities does not confirm it: %q", volume.GetVolumeId(), describe.Capability(asked), response.GetMessage())
				return
			}
			confirmed := response.GetConfirmed().GetVolumeCapabilities()
			suite.Must("VV-02", len(confirmed) > 0, "ValidateVolumeCapabilities confirms the capabilities of volume %s, and confirmed.volume_capabilities, which is REQUIRED, is empty", volume.GetVolumeId())
			typeless := slices.ContainsFunc(confirmed, func(c *csi.VolumeCapability) bool { return c.GetAccessType() == nil })
			suite.Must("VV-05", !typeless, "each of confirmed.volume_capabilities has either block or mount, and ValidateVolumeCapabilities of volume %s with %s confirms %s", volume.GetVolumeId(), describe.Capability(asked), describe.Capabilities(confirmed))
			suite.Should(ctx, "VV-01", slices.ContainsFunc(confirmed, func(c *csi.VolumeCapability) bool { return alike(c, asked) }),
				"ValidateVolumeCapabilities of volume %s with %s does not confirm it. A CO compares its request with what is confirmed: %s", volume.GetVolumeId(), describe.Capability(asked), describe.Capabilities(confirmed))
		},
	}, {
		// The CO compares the confirmation with its request, to guard against plugins that are older than the CO.
		ID:           "validate_unknown_mode",
		Text:         "should not confirm an access mode that no version of the specification has, alone or with another, and confirms nothing just because it has confirmed something else",
		Requirements: []string{"VV-01", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			impossible := messages.As(driver.Capability(), unknownMode)
			unlikely := append(validation.Unlikely(driver), impossible)
			slices.Reverse(unlikely) // the least likely first: one confirmation may lead a wrong driver to confirm the rest
			before := unconfirmed(ctx, driver, volume, unlikely)
			alone := false // older plugins confirm it, because they do not look at the access mode
			suite.Each([][]*csi.VolumeCapability{{impossible}, {driver.Capability(), impossible}, {impossible, driver.Capability()}}, func(asked []*csi.VolumeCapability) {
				response, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, asked...))
				harness.ExpectOKOrRefused(ctx, "GEN-12", err, "an invalid value is INVALID_ARGUMENT, or is not confirmed: no specification has the access mode 1000", codes.InvalidArgument)
				all := slices.ContainsFunc(response.GetConfirmed().GetVolumeCapabilities(), func(c *csi.VolumeCapability) bool { return alike(c, impossible) })
				alone = alone || all && len(asked) == 1
				suite.Must("VV-01", !all || alone, "ValidateVolumeCapabilities confirms only if all of the volume_capabilities are supported, and confirms %s together for volume %s, but not each of them alone", describe.Capabilities(asked), volume.GetVolumeId())
				suite.Should(ctx, "VV-01", response.GetConfirmed() == nil, "ValidateVolumeCapabilities confirms only what is supported, and confirms %s for volume %s", describe.Capabilities(asked), volume.GetVolumeId())
			})
			_, _ = driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
			for _, c := range before {
				now, _ := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, c))
				suite.Must("VV-01", now.GetConfirmed() == nil, "ValidateVolumeCapabilities confirms only what is supported\nit did not confirm %s for volume %s at first, and confirms it after a call with %s",
					describe.Capability(c), volume.GetVolumeId(), describe.Capability(driver.Capability()))
			}
		},
	}, validateAgain(), {
		ID:           "validate_unknown_volume",
		Text:         "returns NOT_FOUND for a volume that does not exist",
		Requirements: []string{"VV-03", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			deleted := deletion.Volume(ctx, driver)

			deletion.ExpectUnknown(ctx, driver, "VV-03", deleted, "ValidateVolumeCapabilities", func() error {
				_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, deleted, driver.Capability()))
				return err
			})
		},
	}}...)
}

// validateAgain repeats the call. The words of the message, and the order of the confirmed capabilities, may differ.
func validateAgain() harness.Case {
	return harness.Case{
		ID:           "validate_again",
		Text:         "confirms the same when ValidateVolumeCapabilities is repeated, and changes nothing",
		Requirements: []string{"VV-06"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const times = 4
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := validation.Request(driver, volume, driver.Capability())
			first, err := driver.Controller.ValidateVolumeCapabilities(ctx, request)
			harness.NeedOK(first, err)
			var found []string
			changes := driver.Held.Changes(ctx, func() {
				for range times - 1 {
					again, err := driver.Controller.ValidateVolumeCapabilities(ctx, request)
					if err != nil || !sameAnswer(again, first) {
						found = append(found, fmt.Sprintf("%s %s", again, describe.Status(err)))
					}
				}
			})
			suite.Must("VV-06", len(found) == 0, "ValidateVolumeCapabilities is idempotent\nit answered: %s\nand to the same request later: %s", first, strings.Join(found, "\n"))
			suite.Should(ctx, "VV-06", len(changes) == 0, "ValidateVolumeCapabilities was repeated, and something has changed:\n%s", describe.Lines(changes))
		},
	}
}

// sameAnswer reports whether both answers confirm the same capabilities, or both none.
func sameAnswer(again, first *csi.ValidateVolumeCapabilitiesResponse) bool {
	texts := func(r *csi.ValidateVolumeCapabilitiesResponse) []string {
		var texts []string
		for _, c := range r.GetConfirmed().GetVolumeCapabilities() {
			texts = append(texts, describe.Capability(c))
		}
		slices.Sort(texts)
		return texts
	}
	return (again.GetConfirmed() == nil) == (first.GetConfirmed() == nil) && slices.Equal(texts(again), texts(first))
}

// unconfirmed returns which of the capabilities the plugin does not confirm for the volume.
func unconfirmed(ctx context.Context, driver *harness.Driver, volume *csi.Volume, asked []*csi.VolumeCapability) []*csi.VolumeCapability {
	var found []*csi.VolumeCapability
	for _, c := range asked {
		response, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, c))
		if response.GetConfirmed() == nil && (err == nil || status.Code(err) == codes.InvalidArgument) {
			found = append(found, c)
		}
	}
	return found
}

// alike reports whether the plugin confirms the requested capability. It may name its file system if none was requested.
func alike(confirmed, asked *csi.VolumeCapability) bool {
	same := proto.CloneOf(confirmed)
	if mount := same.GetMount(); mount != nil && asked.GetMount().GetFsType() == "" {
		mount.FsType = ""
	}
	return proto.Equal(same, asked)
}
