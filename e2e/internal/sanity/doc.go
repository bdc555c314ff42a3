// SPDX-License-Identifier: Apache-2.0

// Package sanity runs csi-sanity, the suite of the CSI project, inside the spec tier: once for each segment, with that
// segment in every request that has a field for topology, so that it works on drivers of many zones. For a slow driver it
// runs only in the first segment, unless all are requested. Its cases verify no clause of the register; they add a suite
// that vendors already know to the same report.
//
// Some assertions of csi-sanity go beyond the specification. The table in stricter.go lists them: their failures are
// warnings, with the reason. Its calls are made like a sidecar's, with a time limit and repetition, and are recorded like
// the calls of the tier's own cases.
package sanity
