// SPDX-License-Identifier: Apache-2.0

package right

import (
	"errors"
	"regexp"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

var (
	label  = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`)
	given  = regexp.MustCompile(`^memory-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	nodeID = regexp.MustCompile(`^[a-z]{4}-[0-9]$`)
)

// hasOtherForm refuses names that are not RFC 1035 labels, and ids that the driver never gives. It deletes what does
// not exist (DV-02, DS-02), whatever the id is.
func hasOtherForm(request proto.Message) error {
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

// must refuses a value that is not empty and does not have the form.
func must(form *regexp.Regexp, value string) error {
	if value == "" || form.MatchString(value) {
		return nil
	}
	return status.Errorf(codes.InvalidArgument, "%q is not of the form %s", value, form)
}
