package spec_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// fussy is a driver which, as many for a cloud do, takes names that are labels of RFC 1035, and ids of the form that it
// gives its own.
const fussy = "a driver that is particular about names and ids"

// TestAFussyDriver shows that only the cases on names tell it from another: no other presumes what names and ids a driver
// takes.
func TestAFussyDriver(t *testing.T) {
	aboutNames := map[string]verdict.Verdict{"name_in_any_script": verdict.Warning, "name_longest": verdict.Fail}
	for _, c := range spectest.Run(t, fussy).Cases {
		if want := aboutNames[c.ID]; c.Verdict != want && (want != "" || c.Verdict != verdict.Pass && c.Verdict != verdict.Skipped) {
			t.Errorf("case %s: %s %s\n%s", c.ID, c.Verdict, c.Reason, c.Message)
		}
	}
}

var (
	label  = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`)
	given  = regexp.MustCompile(`^memory-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	nodeID = regexp.MustCompile(`^[a-z]{4}-[0-9]$`)
)

// particular refuses the names and ids that such a driver does not take. What does not exist is deleted (DV-02, DS-02),
// whatever its id is.
func particular(request proto.Message) error {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		source := r.GetVolumeContentSource()
		return errors.Join(must(label, r.GetName()), must(given, source.GetVolume().GetVolumeId()), must(given, source.GetSnapshot().GetSnapshotId()))
	case *csi.CreateSnapshotRequest:
		return errors.Join(must(label, r.GetName()), must(given, r.GetSourceVolumeId()))
	case *csi.DeleteVolumeRequest, *csi.DeleteSnapshotRequest:
		return nil
	}
	var err error
	if r, ok := request.(interface{ GetVolumeId() string }); ok {
		err = errors.Join(err, must(given, r.GetVolumeId()))
	}
	if r, ok := request.(interface{ GetSnapshotId() string }); ok {
		err = errors.Join(err, must(given, r.GetSnapshotId()))
	}
	if r, ok := request.(interface{ GetNodeId() string }); ok {
		err = errors.Join(err, must(nodeID, r.GetNodeId()))
	}
	return err
}

// must refuses a value that is not empty and not of the form.
func must(form *regexp.Regexp, value string) error {
	if value == "" || form.MatchString(value) {
		return nil
	}
	return status.Errorf(codes.InvalidArgument, "%q is not of the form %s", value, form)
}
