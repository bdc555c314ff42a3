// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// remembersTotals makes a driver that repeats its first statistics of the second path of a volume.
func remembersTotals() mutation.Fault {
	first := map[string]string{}
	told := map[string][]*csi.VolumeUsage{}
	return answering(func(_ *states, request, answer any) {
		r, ok := request.(*csi.NodeGetVolumeStatsRequest)
		if !ok {
			return
		}
		if first[r.GetVolumeId()] == "" {
			first[r.GetVolumeId()] = r.GetVolumePath()
		}
		if first[r.GetVolumeId()] == r.GetVolumePath() {
			return
		}
		response := answer.(*csi.NodeGetVolumeStatsResponse)
		if known := told[r.GetVolumePath()]; known != nil {
			response.Usage = known
		}
		told[r.GetVolumePath()] = response.GetUsage()
	})
}

// tellsOfPathsOnce makes a driver that repeats its first statistics of a path: until the volume grows at that path, or
// forever.
func tellsOfPathsOnce(untilGrown bool) mutation.Fault {
	told := map[string][]*csi.VolumeUsage{}
	return answering(func(_ *states, request, answer any) {
		switch r := request.(type) {
		case *csi.NodeExpandVolumeRequest:
			if untilGrown {
				delete(told, r.GetVolumePath())
			}
		case *csi.NodeGetVolumeStatsRequest:
			response := answer.(*csi.NodeGetVolumeStatsResponse)
			if told[r.GetVolumePath()] == nil {
				told[r.GetVolumePath()] = response.GetUsage()
			}
			response.Usage = told[r.GetVolumePath()]
		}
	})
}

// instead makes a driver that answers some calls without performing them: those for which answer returns a result.
func instead(answer func(s *states, request any) proto.Message) mutation.Fault {
	s := newStates()
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if answered := answer(s, call.Request); answered != nil {
			return answered, nil
		}
		done, err := call.Perform(ctx)
		if err == nil {
			s.note(call.Request, done)
		}
		return done, err
	})
}

func comparesBeginnings() mutation.Fault {
	return instead(func(s *states, request any) proto.Message {
		r, ok := request.(*csi.NodePublishVolumeRequest)
		if !ok {
			return nil
		}
		for _, target := range s.targets[r.GetVolumeId()] {
			if target != r.GetTargetPath() && strings.HasPrefix(r.GetTargetPath(), target) {
				return &csi.NodePublishVolumeResponse{}
			}
		}
		return nil
	})
}
