// Package spec is the spec tier: cases that speak gRPC to a driver's controller and node endpoints, without a cluster.
//
// Each example of the CSI specification's TopologyRequirement is one case in a file of its name: t_eq_1.go is T-EQ-1.
// Its zones Z2 to Z5 are the driver's own first four segments. Around every case, discovery, the ledger of volumes, the
// leak check and the recording of calls happen in this package's other files. What is allowed is e2e/model's to say.
package spec
