// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/csi-topo/csi-topo/internal/privileged"
)

// wholeMatrix is set in the environment to have every case of the matrix run.
const wholeMatrix = "CSI_TOPO_CRASH_TEST"

// TestCrash runs the matrix. Its last lines count the cases.
func TestCrash(t *testing.T) {
	m := &matrix{whole: os.Getenv(wholeMatrix) != "", count: newTally()}
	t.Run("controller", func(t *testing.T) { testAll(t, controllerScenarios(), m) })
	t.Run("node", func(t *testing.T) {
		privileged.NeedDisks(t)
		testAll(t, nodeScenarios(), m)
	})
	t.Run("controller start", func(t *testing.T) { testStarts(t, controllerRecoveries(), m) })
	t.Run("node start", func(t *testing.T) {
		privileged.NeedDisks(t)
		testStarts(t, nodeRecoveries(), m)
	})
	fmt.Print(m.count)
}

func testAll(t *testing.T, scenarios []scenario, m *matrix) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.test(t, m)
		})
	}
}

func testStarts(t *testing.T, recoveries []recovery, m *matrix) {
	t.Helper()
	for _, r := range recoveries {
		t.Run(r.title(), func(t *testing.T) {
			t.Parallel()
			r.test(t, m)
		})
	}
}
