// Package cluster holds the cases that need a real cluster: what the scheduler, the
// kubelets, the sidecars and a driver do together. Each case is a file named as the case;
// register.go lists them. Around every case, and invisible in it, a scenario gives it a
// namespace of its own, a connection to the driver's controller, a clean-up and a check
// that nothing was left behind.
//
// Cases run one after another: several of them fill zones. Zones are filled outside of
// Kubernetes, by calls to the driver, as a second cluster on the same storage would do.
// The provisioner refreshes CSIStorageCapacity objects when a class is created and when it
// provisions or deletes in a segment, else only at its poll interval; so a class made
// after the zone was filled is informed, and a class made before is stale.
//
// The package knows no particular driver: a Target says all it needs. While the cases run
// they should be the driver's only users, as they compare its room before and after.
package cluster
