package profile

import _ "embed"

//go:embed hostpath-topo.yaml
var hostpathTopo []byte

// HostpathTopo is the profile of the reference driver.
func HostpathTopo() (Profile, error) {
	return Parse("hostpath-topo.yaml", hostpathTopo)
}
