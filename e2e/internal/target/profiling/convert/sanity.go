// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Sanity converts csi-sanity's flags, in the forms that it accepts: with one dash or two, and the value after an equals
// sign or as the next argument.
func (c *Conversion) Sanity(arguments []string) error {
	given := map[string]string{}
	for i := 0; i < len(arguments); i++ {
		flag := strings.TrimPrefix(strings.TrimPrefix(arguments[i], "-"), "-")
		if flag == arguments[i] {
			return fmt.Errorf("importing flags of csi-sanity: %q is not a flag: want a flag such as -csi.endpoint=/csi/csi.sock", arguments[i])
		}
		name, value, whole := strings.Cut(flag, "=")
		switch {
		case whole:
		case isSwitch(name):
			value = "true"
		case i+1 < len(arguments):
			i++
			value = arguments[i]
		default:
			return fmt.Errorf("importing flags of csi-sanity: -%s has no value", name)
		}
		given[name] = value
	}
	source := sanityFlags{c, given}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := source.take(name, given[name]); err != nil {
			return fmt.Errorf("importing -%s of csi-sanity: %w", name, err)
		}
	}
	source.endpoints()
	return nil
}

// isSwitch reports whether a flag takes no next argument: csi-sanity has one such flag, Ginkgo dozens.
func isSwitch(name string) bool {
	const prefix = "ginkgo."
	valued := []string{"focus", "skip", "label-filter", "junit-report", "json-report", "timeout", "seed", "focus-file", "skip-file", "output-interceptor-mode"}
	if flag, ginkgos := strings.CutPrefix(name, prefix); ginkgos {
		return !slices.Contains(valued, flag)
	}
	return name == "csi.testnodevolumeattachlimit" || name == "version"
}

// sanityFlags are flags by their names, without dashes.
type sanityFlags struct {
	*Conversion
	given map[string]string
}

func (s sanityFlags) take(flag, value string) (err error) {
	const inFile = "set directories.make, remove and exists in the profile, whose programs get the path as their last argument, and Kubernetes' paths"
	switch flag {
	case "csi.endpoint", "csi.controllerendpoint": // endpoints takes both
	case "csi.testvolumesize":
		s.Profile.VolumeBytes, err = positive(value)
	case "csi.testvolumeexpandsize":
		s.Profile.GrownBytes, err = positive(value)
	case "csi.testvolumeparameters":
		return readYAML(value, &s.plain().Parameters)
	case "csi.testsnapshotparameters":
		return readYAML(value, &s.Profile.SnapshotParameters)
	case "csi.testvolumemutableparameters":
		return readYAML(value, &s.Profile.MutableParameters)
	case "csi.secrets":
		return s.secrets(value)
	case "csi.testvolumeaccesstype":
		return s.accessType(value)
	case "csi.mountdir":
		return s.root(value)
	case "csi.stagingdir":
		s.left("-"+flag, "csi-topo makes the directories for staging below directories.root, as those for publishing")
	case "csi.createmountpathcmd", "csi.createstagingpathcmd", "csi.removemountpathcmd", "csi.removestagingpathcmd", "csi.checkpathcmd":
		s.left("-"+flag, "%s", inFile)
	case "csi.createpathcmdtimeout", "csi.removepathcmdtimeout", "csi.checkpathcmdtimeout":
		s.left("-"+flag, "csi-topo limits such programs by timeouts")
	case "csi.testnodevolumeattachlimit":
		s.left("-"+flag, "csi-topo verifies the limit where NodeGetInfo reports one")
	case "csi.testinvalidlistvolumesstartingtoken":
		s.left("-"+flag, "csi-topo uses its own token")
	case "csi.junitfile", "ginkgo.junit-report":
		s.left("-"+flag, "`csi-topo spec --report-dir` writes junit.xml")
	default:
		why := "csi-sanity has no such flag"
		if strings.HasPrefix(flag, "ginkgo.") {
			why = "`csi-topo spec` has its own flags, such as --focus and --label"
		}
		s.left("-"+flag, "%s", why)
	}
	return err
}

func positive(value string) (int64, error) {
	bytes, err := strconv.ParseInt(value, 10, 64)
	if err != nil || bytes <= 0 {
		return 0, fmt.Errorf("it is %q: want a positive number of bytes", value)
	}
	return bytes, nil
}

// endpoints converts the endpoint, which serves both services unless the controller has a separate one.
func (s sanityFlags) endpoints() {
	node := s.given["csi.endpoint"]
	controller := s.given["csi.controllerendpoint"]
	if controller == "" {
		controller = node
	}
	if node != "" {
		s.Profile.Endpoints = profile.Endpoints{Controller: controller, Nodes: []string{node}}
		s.Note("endpoints", "csi-sanity asks one node; add the endpoints of nodes in other segments.")
	}
}

func (s sanityFlags) accessType(value string) error {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "mount":
	case "block":
		s.Profile.Block = true
		s.Note("mount", "csi-sanity was told to use raw block volumes: set false here if there are no others.")
	default:
		return fmt.Errorf("it is %q: want mount or block", value)
	}
	return nil
}

// root converts the parent of the directory for targets, which csi-sanity creates itself.
func (s sanityFlags) root(value string) error {
	dir := filepath.Clean(value)
	if !path.IsAbs(dir) {
		return fmt.Errorf("it is %q: want an absolute path", value)
	}
	s.Profile.Directories.Root = filepath.Dir(dir)
	return nil
}

// secrets converts csi-sanity's file of secrets.
func (s sanityFlags) secrets(file string) error {
	var given map[string]map[string]string
	if err := readYAML(file, &given); err != nil {
		return err
	}
	into := &s.Profile.Secrets
	fields := map[string]*map[string]string{
		"CreateVolumeSecret":                         &into.CreateVolume,
		"DeleteVolumeSecret":                         &into.DeleteVolume,
		"ControllerPublishVolumeSecret":              &into.ControllerPublishVolume,
		"ControllerUnpublishVolumeSecret":            &into.ControllerUnpublishVolume,
		"ControllerValidateVolumeCapabilitiesSecret": &into.ValidateVolume,
		"ControllerExpandVolumeSecret":               &into.ControllerExpandVolume,
		"ControllerModifyVolumeSecret":               &into.ControllerModifyVolume,
		"CreateSnapshotSecret":                       &into.CreateSnapshot,
		"DeleteSnapshotSecret":                       &into.DeleteSnapshot,
		"ListSnapshotsSecret":                        &into.ListSnapshots,
		"NodeStageVolumeSecret":                      &into.NodeStageVolume,
		"NodePublishVolumeSecret":                    &into.NodePublishVolume,
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if field, found := fields[name]; found {
			*field = given[name]
		} else {
			s.left("-csi.secrets "+name, "csi-topo sends no secrets with such a call")
		}
	}
	return nil
}
