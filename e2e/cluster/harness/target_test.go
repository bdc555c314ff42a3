// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/client-go/rest"
)

func TestTargetValidateNamesWhatIsMissing(t *testing.T) {
	target := &Target{
		REST: &rest.Config{}, Driver: "hostpath.topo.csi", ZoneKey: "topology.hostpath.topo.csi/zone", WorkloadImage: "workload",
		AccessibleFrom: func(int) map[string]string { return nil },
		Controller:     &PodSocket{Namespace: "driver", Selector: "app=controller", Volume: "socket-dir", Path: "csi.sock"},
		Node:           &PodSocket{Namespace: "driver", Selector: "app in", Volume: "plugin-dir", Path: "csi.sock"},
		VolumeSize:     resource.MustParse("320Mi"),
	}
	err := target.Validate()
	if err == nil {
		t.Fatal("a target without a client, without timeouts and with a broken selector is valid")
	}
	for _, want := range []string{"needs Client", "needs Timeouts", "Node.Selector"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	for _, given := range []string{"REST", "Driver", "ZoneKey", "Controller"} {
		if strings.Contains(err.Error(), "needs "+given) {
			t.Errorf("error %q asks for %s, which is there", err, given)
		}
	}
}
