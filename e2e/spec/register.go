package spec

import (
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/placement"
)

// Register declares the tier's cases for the target, which may be completed until they run.
func Register(target *harness.Target) {
	s := harness.New(target)
	for _, register := range []func(*harness.Suite){
		placement.Register,
	} {
		register(s)
	}
}
