// Package placement has the spec tier's cases on CreateVolume's TopologyRequirement, and on what a driver says of where
// its volumes are accessible from. Each example of the CSI specification is one case in a file of its name: t_eq_1.go is
// T-EQ-1. Its zones Z2 to Z5 are the driver's own first four segments; a driver that has fewer shows with them what it can.
package placement
