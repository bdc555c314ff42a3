// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Each text is longer than the previous one: it replaces all of it, and a driver that copies only files of another size, as
// rsync does, copies it.
const (
	textBefore = "written before"
	textAfter  = "written later on"
	textLatest = "written last of all"
)

// dataCases returns the cases about the data in a volume from a source.
func dataCases(k kind) []harness.Case {
	return []harness.Case{keepsData(k), largerKeepsData(k), independent(k), besideSource(k), deviceData(k)}
}

// needsData returns needs, and the needs of cases that write to volumes and read them.
func (k kind) needsData() []harness.Need {
	return harness.Needs(k.needs(), harness.Nodes(1), harness.Data())
}

// keepsData checks that data that is written to the source later is not in the copy, and that a later deletion of the source
// does not change the copy.
func keepsData(k kind) harness.Case {
	requirements := []string{"VS-02", k.inUse}
	if k.noun == "snapshot" {
		requirements = append(requirements, "CS-23", "DV-03")
	}
	return harness.Case{
		ID:           k.verb + "_data",
		Text:         fmt.Sprintf("%s a %s with the data that the volume had then, even if the volume is written to and deleted later", k.doing, k.noun),
		Requirements: requirements,
		Needs:        k.needsData(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			data.WriteTo(ctx, node, volume, textBefore)

			copied := k.copyBefore(ctx, driver, volume, driver.VolumeFor(node), func() (deleted bool) {
				data.WriteTo(ctx, node, volume, textAfter)
				// A driver that still needs the volume refuses, which other cases judge.
				_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
				return err == nil
			})

			expectExists(ctx, driver, k.inUse, copied.Volume, "a source that a volume needs is not deleted")
			got := data.ReadFrom(ctx, node, copied.Volume)
			suite.Must("CS-23", k.noun != "snapshot" || got != textAfter,
				"CreateSnapshot blocks until the snapshot is cut\nit had returned for volume %s before %q was written, which the restored volume %s has", volume.GetVolumeId(), textAfter, copied.VolumeID)
			suite.Must("VS-02", got == textBefore,
				"a volume has the data of its source\n%q was written to volume %s\nvolume %s was created from its %s; then %q was written to the former, and DeleteVolume was called for it\nthe new volume has %q",
				textBefore, volume.GetVolumeId(), copied.VolumeID, k.noun, textAfter, got)
		},
	}
}

// largerKeepsData checks that a larger volume has the data of its source as well, unless it is refused. It copies each of
// two versions of the data after the other one: a driver may mix up the sources of one volume.
func largerKeepsData(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_larger_data",
		Text:         fmt.Sprintf("%s a %s to a larger volume that has the data of the %s, or returns OUT_OF_RANGE, also after copies of what the volume had before or has later", k.doing, k.noun, k.noun),
		Requirements: []string{"CV-05", "VS-02", "CREATE-11", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(k.needsData(), harness.Volumes(8)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.VolumeFor(driver.Nodes[0]))
			versions := k.takeVersions(ctx, driver, volume)
			for _, v := range append(slices.Clone(versions), versions[0]) {
				v.expectCopied(ctx, driver, "VS-02", driver.VolumeFor(driver.Nodes[0]).OfBytes(v.bytes))
			}
			for _, v := range slices.Backward(versions) {
				v.expectCopied(ctx, driver, "CV-05", driver.VolumeFor(driver.Nodes[0]).OfBytes(largerThan(driver, v.content)))
			}
		},
	}
}

// version is a source, and the text that its volume had when it was taken.
type version struct {
	content
	text string
}

// takeVersions writes two texts to the volume, and takes a source of each: a snapshot of the first one, if the driver takes it.
func (k kind) takeVersions(ctx context.Context, driver *harness.Driver, volume *csi.Volume) []version {
	var versions []version
	add := func(from content, text string) { versions = append(versions, version{from, text}) }
	addAnother := func(text string) {
		for _, snapshot := range takeAnother(ctx, driver, volume) {
			add(contentOf(driver, snapshot, volume), text)
		}
	}
	data.WriteTo(ctx, driver.Nodes[0], volume, textBefore)
	switch {
	case k.noun == "snapshot":
		add(k.take(ctx, driver, volume), textBefore)
	case driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT):
		addAnother(textBefore)
	}
	data.WriteTo(ctx, driver.Nodes[0], volume, textAfter)
	if k.noun == "snapshot" {
		addAnother(textAfter)
	} else {
		add(k.take(ctx, driver, volume), textAfter)
	}
	return versions
}

// expectCopied creates the volume from the version, and fails the case by the clause unless it has the text. Other cases
// judge a volume that is not larger, or that the driver has no room for: the number of copies may be limited.
func (v version) expectCopied(ctx context.Context, driver *harness.Driver, clause string, asked model.Request) {
	copied := creation.CreateFrom(ctx, driver, v.VolumeContentSource, asked)
	if asked.Bytes > v.bytes && copied.Code != codes.ResourceExhausted {
		expectLarger(ctx, driver, copied, asked)
	}
	if copied.Code != codes.OK {
		suite.Reduced(ctx, "no volume of %d bytes was created: %s\ngot: %s", asked.Bytes, describeSource(v.content), copied)
		return
	}
	got := data.ReadFrom(ctx, driver.Nodes[0], copied.Volume)
	suite.Must(clause, got == v.text, "a volume has the data of its source, also if it is larger\n%q was in the volume when this was taken: %s\nvolume %s of %d bytes was created from it\nthe new volume has %q",
		v.text, describeSource(v.content), copied.VolumeID, asked.Bytes, got)
}

// independent checks that a volume from a source is a separate volume. One that shares its storage with the source
// passes every case that does not write to it.
func independent(k kind) harness.Case {
	requirements := []string{"VS-02", "CV-02"}
	if k.noun == "snapshot" {
		requirements = append(requirements, "CS-03")
	}
	return harness.Case{
		ID:           k.verb + "_independent",
		Text:         fmt.Sprintf("%s a %s to a volume that can be written to without changing its source, and keeps the data of each when a call is repeated or another %s is made", k.doing, k.noun, k.noun),
		Requirements: requirements,
		Needs:        k.needsData(),
		Long:         true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			data.WriteTo(ctx, node, volume, textBefore)
			from := k.take(ctx, driver, volume)
			first := k.mustCreate(ctx, driver, from, driver.VolumeFor(node))
			data.WriteTo(ctx, node, first.Volume, textAfter)

			what := fmt.Sprintf("what is written to a volume does not change its source\n%q was written to volume %s\nvolume %s was created from its %s, and %q was written to it", textBefore, volume.GetVolumeId(), first.VolumeID, k.noun, textAfter)
			got := data.ReadFrom(ctx, node, volume)
			suite.Must("VS-02", got == textBefore, "%s\nvolume %s now has %q", what, volume.GetVolumeId(), got)
			if k.noun == "snapshot" {
				data.WriteTo(ctx, node, volume, textLatest)
				_ = takeAnother(ctx, driver, volume)
				what += fmt.Sprintf("\n%q was written to volume %s, and another snapshot of it was requested", textLatest, volume.GetVolumeId())
			}
			second := k.mustCreate(ctx, driver, from, driver.VolumeFor(node))
			got = data.ReadFrom(ctx, node, second.Volume)
			suite.Must("VS-02", got == textBefore, "%s\nvolume %s, which was created from the same source afterwards, has %q", what, second.VolumeID, got)

			k.expectRepeatedWithoutEffect(ctx, driver, from, first)
			if from.takeAgain != nil {
				k.expectTakenOnce(ctx, driver, from, volume)
			}
		},
	}
}

// expectRepeatedWithoutEffect repeats the call that created the volume after other data was written to it: a driver
// that copies once more overwrites it.
func (k kind) expectRepeatedWithoutEffect(ctx context.Context, driver *harness.Driver, from content, made creation.Answer) {
	again := creation.CreateFromAgain(ctx, driver, made, from.VolumeContentSource, driver.VolumeFor(driver.Nodes[0]).OfBytes(from.bytes))
	if again.Code != codes.OK || again.VolumeID != made.VolumeID {
		return // the case about repeated requests judges this
	}
	got := data.ReadFrom(ctx, driver.Nodes[0], made.Volume)
	suite.Must("CV-02", got == textAfter, "CreateVolume is idempotent\nvolume %s was created from a %s, and %q was written to it; then CreateVolume was repeated, and it has %q", made.VolumeID, k.noun, textAfter, got)
}

// expectTakenOnce repeats the call that took the snapshot after other data was written to the volume: a driver that takes it
// once more has lost the original data.
func (k kind) expectTakenOnce(ctx context.Context, driver *harness.Driver, from content, volume *csi.Volume) {
	if from.takeAgain(ctx) != nil {
		return // the case about repeated requests judges this
	}
	restored := k.mustCreate(ctx, driver, from, driver.VolumeFor(driver.Nodes[0]))
	got := data.ReadFrom(ctx, driver.Nodes[0], restored.Volume)
	suite.Must("CS-03", got == textBefore, "the same request again returns the same snapshot\n%q was in volume %s when %s was taken; then %q was written to the volume and CreateSnapshot was repeated, and a volume from the snapshot has %q",
		textBefore, volume.GetVolumeId(), describeSource(from), textLatest, got)
}

// restoreBefore takes a snapshot of the volume, calls change as soon as CreateSnapshot returns, restores the snapshot and
// deletes it.
func restoreBefore(ctx context.Context, driver *harness.Driver, volume *csi.Volume, asked model.Request, change func() (deleted bool)) creation.Answer {
	request := snapshots.CreateRequest(driver, volume)
	response, err := driver.Controller.CreateSnapshot(ctx, request)
	skipWithoutSpace(err)
	first := harness.NeedOK(response, err).GetSnapshot()
	k := restoring()
	if change() {
		k.clause = "DV-03" // snapshots of a deleted volume are acceptable as sources
	}
	from := contentOf(driver, waitReady(ctx, driver, request, first), volume)
	restored := k.mustCreate(ctx, driver, from, asked)
	_ = from.delete(ctx)
	return restored
}

// cloneBefore clones the volume and calls change afterwards.
func cloneBefore(ctx context.Context, driver *harness.Driver, volume *csi.Volume, asked model.Request, change func() (deleted bool)) creation.Answer {
	k := cloning()
	cloned := k.mustCreate(ctx, driver, k.take(ctx, driver, volume), asked)
	_ = change()
	return cloned
}
