// Package placement has the spec tier's cases on CreateVolume's TopologyRequirement. Each example of the CSI
// specification is one case in a file of its name: t_eq_1.go is T-EQ-1. Its zones Z2 to Z5 are the driver's own first
// four segments.
package placement
