// SPDX-License-Identifier: Apache-2.0

package identity_test

import (
	"maps"
	"os"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/identity"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, identity.Areas, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// drivers are those that are wrong, and those that are right and lack something.
func drivers() map[string]spectest.Expectation {
	all := lacking()
	for _, of := range []func() map[string]spectest.Expectation{wrongOfIdentity, wrongOfClaims} {
		maps.Copy(all, of())
	}
	return all
}
