package generated

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// list lists the volumes, with all that the sequence has made among them, and none that it has deleted. Volumes of others
// are theirs.
func (s *sequence) list(ctx context.Context) outcome {
	listed, err := s.under.ListVolumes(ctx)
	o := outcomeOf("ListVolumes", err)
	o.ok(err, "LV-01", "all volumes are listed, each once and with its topology")
	if err != nil {
		return o
	}
	o.answered = fmt.Sprintf("OK, with %d volumes", len(listed))
	found := map[string]*csi.Volume{}
	for _, v := range listed {
		id := v.GetVolumeId()
		o.wrong(found[id] != nil, "LV-01", fmt.Sprintf("volume %q is listed twice", id))
		o.wrong(s.deleted[id], "LV-01", fmt.Sprintf("volume %q is listed, and is deleted", id))
		found[id] = v
	}
	for _, v := range s.volumes {
		if v.exists {
			o.compareListed(v, found[v.id])
		}
	}
	return o
}

// compareListed compares a volume with how it is listed, nil when it is not.
func (o *outcome) compareListed(v *volume, listed *csi.Volume) {
	if listed == nil {
		o.wrong(true, "LV-01", fmt.Sprintf("%s, volume %q, exists and is not listed", v.name, v.id))
		return
	}
	made, now := harness.Segments(v.topology), harness.Segments(listed.GetAccessibleTopology())
	if !now.Equal(made) {
		o.regretted = append(o.regretted, model.Reason{Clause: "LV-08", Text: fmt.Sprintf("CreateVolume answered that %s is accessible from %s, and it is listed with %s", v.name, made, now)})
	}
}
