// SPDX-License-Identifier: Apache-2.0

package own

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

const run = "abcd1234"

func TestClaim(t *testing.T) {
	ids := func(ids ...string) map[string]bool {
		set := map[string]bool{}
		for _, id := range ids {
			set[id] = true
		}
		return set
	}
	named := Answer{ID: "v", Name: "csi-topo-" + run + "-a-1", Sound: true}
	with := func(a Answer, change func(*Answer)) Answer {
		change(&a)
		return a
	}
	other := with(named, func(a *Answer) { a.Name = "csi-topo-" + run + "-b-1" })
	nameless := with(named, func(a *Answer) { a.Name, a.Sound = "", false })
	invalid := with(named, func(a *Answer) { a.Sound = false })
	for _, c := range []struct {
		name    string
		listed  map[string]bool // before the run
		answers []Answer
		deleted bool   // between the last two
		want    string // why the last one does not belong to the run; empty if it does
	}{
		{"a name of the run", nil, []Answer{named}, false, ""},
		{"no name", nil, []Answer{nameless}, false, "no name of this run"},
		{"no name, and the id is not listed", ids(), []Answer{with(nameless, func(a *Answer) { a.Before = ids() })}, false, "no name of this run"},
		{"another's name", nil, []Answer{with(named, func(a *Answer) { a.Name = "data" })}, false, "no name of this run"},
		{"listed before the run", ids("v"), []Answer{named}, false, "before the run"},
		{"listed before the case", ids(), []Answer{with(named, func(a *Answer) { a.Before = ids("v") })}, false, "before the case"},
		{"an invalid request", nil, []Answer{invalid}, false, "should have been refused"},
		{"an invalid request, and lists show that it is new", ids(), []Answer{with(invalid, func(a *Answer) { a.Before = ids() })}, false, ""},
		{"an invalid request, and the id has the run in it", nil, []Answer{with(invalid, func(a *Answer) { a.ID = "/exports/CSI-TOPO-" + strings.ToUpper(run) + "-a-1" })}, false, ""},
		{"two names", nil, []Answer{named, other}, false, "for the name"},
		{"two names, and lists show that it is new", ids(), []Answer{with(named, func(a *Answer) { a.Before = ids() }), with(other, func(a *Answer) { a.Before = ids() })}, false, ""},
		{"two names, and the first was deleted", nil, []Answer{named, other}, true, ""},
		{"another id for the name", nil, []Answer{named, with(named, func(a *Answer) { a.ID = "w" })}, false, "another id before"},
		{"another id for the name, once the first was deleted", nil, []Answer{named, with(named, func(a *Answer) { a.ID = "w" })}, true, ""},
		{"again", nil, []Answer{named, named}, false, ""},
		{"again, to a request that is not one to create it for", nil, []Answer{named, invalid}, false, ""},
		{"again, to such a request, once it was deleted", nil, []Answer{named, invalid}, true, "should have been refused"},
		{"again, to such a request, and it was not the run's own", ids("v"), []Answer{named, invalid}, false, "before the run"},
		{"two names, the second by such a request", nil, []Answer{named, with(other, func(a *Answer) { a.Sound = false })}, false, "should have been refused"},
		{"no name, and then a name", nil, []Answer{nameless, named}, false, "no name of this run"},
		{"a name, and then no name", nil, []Answer{named, nameless}, false, "no name of this run"},
		{"no id", nil, []Answer{with(named, func(a *Answer) { a.ID = "" })}, false, "no id"},
		{"exclusive, and no name", nil, []Answer{with(nameless, func(a *Answer) { a.Exclusive = true })}, false, ""},
		{"exclusive, and listed before the run", ids("v"), []Answer{with(named, func(a *Answer) { a.Exclusive = true })}, false, "before the run"},
		{"listed before the case as the run's own, which was deleted", ids(), []Answer{named, with(other, func(a *Answer) { a.Before = ids("v") })}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Register{}
			r.Begin(Volume, c.listed)
			var got bool
			var id string
			for i, a := range c.answers {
				a.Kind, a.Run, a.Request = Volume, run, "CreateVolume"
				if c.deleted && i == len(c.answers)-1 {
					r.Delete(Volume, id)
				}
				got, id = r.Claim(a), a.ID
			}
			if got != (c.want == "") {
				t.Errorf("Claim = %v, want %v", got, c.want == "")
			}
			if others := strings.Join(r.Others(), "\n"); c.want != "" && !strings.Contains(others, c.want) || c.want == "" && others != "" {
				t.Errorf("left is %q, want %q", others, c.want)
			}
			if err := r.MayTouch(&csi.DeleteVolumeRequest{VolumeId: id}); id != "" && (err == nil) != (c.want == "") {
				t.Errorf("MayTouch = %v, want an error: %v", err, c.want != "")
			}
		})
	}
}

func TestMayTouch(t *testing.T) {
	r := &Register{}
	r.Begin(Volume, map[string]bool{"a/v": true, "a/lent": true})
	r.Lend(Volume, "a/lent")
	for _, c := range []struct {
		name  string
		given any
		want  bool
	}{
		{"to delete it", &csi.DeleteVolumeRequest{VolumeId: "a/v"}, false},
		{"to delete it by a path", &csi.DeleteVolumeRequest{VolumeId: "a/own/../v"}, false},
		{"to publish it", &csi.NodePublishVolumeRequest{VolumeId: "a/v"}, false},
		{"to grow it", &csi.ControllerExpandVolumeRequest{VolumeId: "a/v"}, false},
		{"to take a snapshot of it", &csi.CreateSnapshotRequest{SourceVolumeId: "a/v"}, false},
		{"to ask about it", &csi.ValidateVolumeCapabilitiesRequest{VolumeId: "a/v"}, true},
		{"to publish what is lent", &csi.NodePublishVolumeRequest{VolumeId: "a/lent"}, true},
		{"to delete what is lent", &csi.DeleteVolumeRequest{VolumeId: "a/lent"}, false},
		{"to delete what is lent by a path", &csi.DeleteVolumeRequest{VolumeId: "a/own/../lent"}, false},
		{"to grow what is lent", &csi.ControllerExpandVolumeRequest{VolumeId: "a/lent"}, false},
		{"to delete what nobody has", &csi.DeleteVolumeRequest{VolumeId: "none"}, true},
		{"to delete without an id", &csi.DeleteVolumeRequest{}, true},
		{"to delete a snapshot of the same id", &csi.DeleteSnapshotRequest{SnapshotId: "a/v"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := r.MayTouch(c.given); (err == nil) != c.want {
				t.Errorf("MayTouch = %v, want that it may: %v", err, c.want)
			}
		})
	}
}

func TestIsValid(t *testing.T) {
	capability := &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
	valid := func() *csi.CreateVolumeRequest {
		return &csi.CreateVolumeRequest{Name: "n", VolumeCapabilities: []*csi.VolumeCapability{capability}}
	}
	with := func(change func(*csi.CreateVolumeRequest)) *csi.CreateVolumeRequest {
		r := valid()
		change(r)
		return r
	}
	mode := func(number int32) *csi.VolumeCapability {
		return &csi.VolumeCapability{AccessType: capability.GetAccessType(), AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_Mode(number)}}
	}
	for _, c := range []struct {
		name  string
		given any
		want  bool
	}{
		{"a volume", valid(), true},
		{"no name", with(func(r *csi.CreateVolumeRequest) { r.Name = "" }), false},
		{"a long name", with(func(r *csi.CreateVolumeRequest) { r.Name = strings.Repeat("n", 129) }), false},
		{"a control character", with(func(r *csi.CreateVolumeRequest) { r.Name = "n\x00" }), false},
		{"no capabilities", with(func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities = nil }), false},
		{"no access mode", with(func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities = []*csi.VolumeCapability{mode(0)} }), false},
		{"an unheard-of access mode", with(func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities = []*csi.VolumeCapability{mode(1000)} }), false},
		{"no access type", with(func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities = []*csi.VolumeCapability{{AccessMode: capability.GetAccessMode()}}
		}), false},
		{"an empty range", with(func(r *csi.CreateVolumeRequest) { r.CapacityRange = &csi.CapacityRange{} }), false},
		{"a negative size", with(func(r *csi.CreateVolumeRequest) {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: -1, LimitBytes: 2}
		}), false},
		{"a limit below the size", with(func(r *csi.CreateVolumeRequest) {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: 2, LimitBytes: 1}
		}), false},
		{"a limit alone", with(func(r *csi.CreateVolumeRequest) { r.CapacityRange = &csi.CapacityRange{LimitBytes: 1} }), true},
		{"an empty source", with(func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = &csi.VolumeContentSource{} }), false},
		{"an empty requirement", with(func(r *csi.CreateVolumeRequest) { r.AccessibilityRequirements = &csi.TopologyRequirement{} }), false},
		{"too many parameters", with(func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"p": strings.Repeat("p", 5000)} }), false},
		{"a snapshot", &csi.CreateSnapshotRequest{Name: "n", SourceVolumeId: "v"}, true},
		{"a snapshot of nothing", &csi.CreateSnapshotRequest{Name: "n"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := IsValid(c.given); got != c.want {
				t.Errorf("IsValid = %v, want %v", got, c.want)
			}
		})
	}
}
