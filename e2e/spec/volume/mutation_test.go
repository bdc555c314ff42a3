// SPDX-License-Identifier: Apache-2.0

package volume_test

import (
	"maps"
	"os"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/volume"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, volume.Areas, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers(), spectest.Skips("modify_absent_keys", verdict.ByProfile))
}

// drivers are those that are wrong, and those that are right and lack something.
func drivers() map[string]spectest.Expectation {
	all := lacking()
	for _, of := range []func() map[string]spectest.Expectation{
		wrongOfVolumes, wrongOfSizes, wrongOfCapabilities, wrongOfNames, wrongOfMutableParameters, wrongOfDeletion,
	} {
		maps.Copy(all, of())
	}
	return spectest.Serially(all)
}
