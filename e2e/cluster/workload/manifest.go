// SPDX-License-Identifier: Apache-2.0

// Package workload builds the Kubernetes objects that cases apply. Each starts as a manifest in fixtures/workloads, which
// methods then change. The package depends on neither a cluster nor a case.
package workload

import (
	"fmt"

	"sigs.k8s.io/e2e-framework/klient/decoder"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/fixtures"
)

// Segment is a topology: key to value.
type Segment = map[string]string

// read fills the object from its manifest. The manifests are embedded, so an unreadable one is a bug in this program.
func read[T k8s.Object](name string, object T) T {
	path := "workloads/" + name + ".yaml"
	if err := decoder.DecodeFile(fixtures.FS(), path, object); err != nil {
		panic(fmt.Sprintf("embedded manifest fixtures/%s: %v", path, err))
	}
	return object
}
