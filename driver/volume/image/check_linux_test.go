// SPDX-License-Identifier: Apache-2.0

package image

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

func wantProblem(t *testing.T, problems []volume.Problem, err error, reason string, severity volume.Severity) {
	t.Helper()
	if err != nil {
		t.Fatalf("the check failed: %v", err)
	}
	if reason == "" {
		if len(problems) > 0 {
			t.Errorf("found %+v, want nothing", problems)
		}
		return
	}
	if len(problems) != 1 || problems[0].Reason != reason || problems[0].Severity != severity || problems[0].Message == "" {
		t.Errorf("found %+v, want %s (severity %d)", problems, reason, severity)
	}
}

func TestImagesCheck(t *testing.T) {
	size := volume.Size{Bytes: 4 * mebi, Allocated: true}
	for _, test := range []struct {
		name     string
		given    func(t *testing.T, data, image string)
		want     string
		severity volume.Severity
	}{
		{name: "whole", given: func(*testing.T, string, string) {}},
		{name: "removed", want: "ImageMissing", severity: volume.DataLoss, given: func(t *testing.T, _, image string) { must(t, "remove", os.Remove(image)) }},
		{name: "cut short", want: "ImageTruncated", severity: volume.DataLoss, given: func(t *testing.T, _, image string) { must(t, "truncate", os.Truncate(image, mebi)) }},
		{name: "blocks given back", want: "ImageNotAllocated", severity: volume.Degraded, given: func(t *testing.T, _, image string) {
			must(t, "truncate", os.Truncate(image, mebi))
			must(t, "truncate", os.Truncate(image, size.Bytes))
		}},
		{name: "a link instead", want: "ImageReplaced", severity: volume.Inaccessible, given: func(t *testing.T, _, image string) {
			must(t, "move", os.Rename(image, image+".moved"))
			must(t, "link", os.Symlink(image+".moved", image))
		}},
		{name: "no directory of volumes", want: "ImageMissing", severity: volume.DataLoss, given: func(t *testing.T, data, _ string) {
			must(t, "remove", os.RemoveAll(filepath.Join(data, datadir.Volumes)))
		}},
		{name: "no data directory", want: "DataDirectoryUnreachable", severity: volume.Inaccessible, given: func(t *testing.T, data, _ string) { must(t, "move", os.Rename(data, data+".moved")) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			i := openImages(t, data)
			id := createImage(t, i, size)
			test.given(t, data, filepath.Join(data, datadir.Volumes, id+".img"))
			problems, err := i.Check(t.Context(), id, size)
			wantProblem(t, problems, err, test.want, test.severity)
		})
	}
}
