package profile

import _ "embed"

//go:embed hostpath-topo.yaml
var hostpathTopo []byte

// HostpathTopo is the profile of the reference driver.
func HostpathTopo() (Profile, error) {
	return Parse("hostpath-topo.yaml", hostpathTopo)
}

// Of is what can be said of any driver: it has volumes for one topology, of 1 GiB.
func Of(driver string) Profile {
	return Profile{Driver: driver, VolumeBytes: 1 << 30, Volumes: []Kind{{AccessibleFrom: 1}}}
}
