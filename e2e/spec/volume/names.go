// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// longest is the maximum length of a string in bytes.
const longest = 128

// names returns the cases about the names that CreateVolume accepts.
func names() []harness.Case {
	return slices.Concat(namesAllowed(), []harness.Case{nameTooLong(), nameWithControlCharacter()})
}

// namesAllowed returns the cases about names that the specification allows, though not all back ends do.
func namesAllowed() []harness.Case {
	var cases []harness.Case
	for _, variant := range []struct {
		id, text, clause string
		name             func(driver *harness.Driver) string
	}{
		{"name_longest", "a name of 128 bytes", "GEN-04", func(driver *harness.Driver) string { return nameOf(driver, longest) }},
		{"name_in_any_script", "a name with characters outside ASCII", "CV-24", func(driver *harness.Driver) string { return driver.Name() + " größe/体积\t🖴" }},
	} {
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         "should accept " + variant.text,
			Requirements: slices.Compact([]string{variant.clause, "CV-24", "GEN-12", "GEN-15", "GEN-16"}),
			Needs:        harness.Volumes(1),
			Run: func(ctx context.Context, driver *harness.Driver) {
				request := creation(driver)
				request.Name = variant.name(driver)
				response, err := driver.Controller.CreateVolume(ctx, request)

				if err != nil {
					skipWithoutRoom(err)
					harness.ExpectRefused(ctx, "GEN-12", err, fmt.Sprintf("CreateVolume was called with the name %q; one that is not supported is INVALID_ARGUMENT", request.GetName()), codes.InvalidArgument)
					suite.Warn(ctx, "CV-24", "any Unicode string of up to 128 bytes is allowed as a name, except for the banned control characters, and %q has none of them: it is refused\ngot: %s", request.GetName(), describe.Status(err))
					return
				}
				expectShortID(response.GetVolume())
			},
		})
	}
	return cases
}

// nameOf returns a new name of at least the given number of bytes.
func nameOf(driver *harness.Driver, bytes int) string {
	name := driver.Name()
	return name + strings.Repeat("n", max(0, bytes-len(name)))
}

// expectShortID fails the case if a volume_id is longer than a string may be.
func expectShortID(volume *csi.Volume) {
	suite.Must("GEN-04", len(volume.GetVolumeId()) <= longest, "CreateVolume answered a volume_id of %d bytes, and a string has 128 at most", len(volume.GetVolumeId()))
}

// nameTooLong requests a name that a CO must not send. A driver that accepts it hides the mistake, and must not return
// a volume_id that is too long.
func nameTooLong() harness.Case {
	return harness.Case{
		ID:           "name_too_long",
		Text:         "returns INVALID_ARGUMENT for a name of 129 bytes",
		Requirements: []string{"GEN-04", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			request.Name = nameOf(driver, longest+1)
			response, err := driver.Controller.CreateVolume(ctx, request)

			if err == nil {
				expectShortID(response.GetVolume())
				suite.Warn(ctx, "GEN-04", "a name has 128 bytes at most, and CreateVolume accepted one of 129")
				return
			}
			skipWithoutRoom(err)
			harness.ExpectInvalidRefused(ctx, "GEN-12", err, "a name of 129 bytes is INVALID_ARGUMENT", codes.InvalidArgument)
		},
	}
}

// nameWithControlCharacter requests names with the control characters at the limits of the banned ranges.
func nameWithControlCharacter() harness.Case {
	return harness.Case{
		ID:           "name_with_control_character",
		Text:         "returns INVALID_ARGUMENT for a name with a control character",
		Requirements: []string{"CV-25", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			accepted := ""
			suite.Each([]rune("\u0007\u0000\u0008\u000b\u000c\u000e\u001f\u007f\u0085\u009f"), func(banned rune) {
				request := creation(driver)
				request.Name = driver.Name() + string(banned)
				response, err := driver.Controller.CreateVolume(ctx, request)

				if err == nil {
					accepted += string(banned)
					deletion.Need(ctx, driver, response.GetVolume())
					return
				}
				skipWithoutRoom(err)
				harness.ExpectInvalidRefused(ctx, "GEN-12", err, fmt.Sprintf("CreateVolume was called with the name %+q: such a control character is INVALID_ARGUMENT", request.GetName()), codes.InvalidArgument)
			})
			suite.Should(ctx, "CV-25", accepted == "", "these control characters are banned from names, and CreateVolume accepted names with them: %+q", accepted)
		},
	}
}

// isTaken reports whether the call was refused because a volume of the name exists.
func isTaken(err error) bool { return status.Code(err) == codes.AlreadyExists }
