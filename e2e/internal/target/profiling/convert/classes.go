// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// class is the reference to a class in a test-driver file, in one of three ways.
type class struct {
	FromName                        bool
	FromFile, FromExistingClassName string
}

// reserved is the prefix of a class's parameters that are for the sidecars, and not for the driver.
const reserved = "csi.storage.k8s.io/"

// parameters returns the parameters of a class, for the sidecars and for the driver. If the class is in a cluster, they are
// not known: the profile's field gets a comment on how to find them.
func (s *testDriver) parameters(field, kind, target string, raw json.RawMessage) (sidecars, own map[string]string, err error) {
	named := class{}
	if err := json.Unmarshal(raw, &named); err != nil {
		return nil, nil, fmt.Errorf("%s is not a class: want FromName, FromFile or FromExistingClassName", raw)
	}
	switch {
	case named.FromName:
		return nil, nil, nil
	case named.FromExistingClassName != "":
		s.left(field+".FromExistingClassName", "only a cluster has %s: `kubectl get %s %s -o yaml` shows its parameters, which belong to %s", named.FromExistingClassName, kind, named.FromExistingClassName, target)
		s.Note(target, "`kubectl get %s %s -o yaml` shows the parameters.", kind, named.FromExistingClassName)
		return nil, nil, nil
	case named.FromFile != "":
		var object struct{ Parameters map[string]string }
		if err := readYAML(beside(s.path, named.FromFile), &object); err != nil {
			s.left(field+".FromFile", "%v; its parameters belong to %s", err, target)
			return nil, nil, nil
		}
		own, sidecars = maps.Clone(object.Parameters), maps.Clone(object.Parameters)
		forSidecars := func(key, _ string) bool { return strings.HasPrefix(key, reserved) }
		maps.DeleteFunc(own, forSidecars)
		maps.DeleteFunc(sidecars, func(key, value string) bool { return !forSidecars(key, value) })
		return sidecars, own, nil
	default:
		return nil, nil, nil
	}
}

func (s *testDriver) storageClass(field string, raw json.RawMessage) error {
	sidecars, own, err := s.parameters(field, "storageclass", "volumes", raw)
	if err != nil {
		return err
	}
	if len(own) > 0 {
		s.plain().Parameters = own
	}
	for key, value := range sidecars {
		if key == reserved+"fstype" {
			s.classFsType = value
			continue
		}
		if strings.HasSuffix(key, "-secret-name") {
			s.left(field+"."+key, "a profile has the secret itself, under secrets: `kubectl get secret %s -o yaml` shows it", value)
		}
	}
	return nil
}

func (s *testDriver) snapshotClass(field string, raw json.RawMessage) error {
	_, own, err := s.parameters(field, "volumesnapshotclass", "snapshotParameters", raw)
	if len(own) > 0 {
		s.Profile.SnapshotParameters = own
	}
	return err
}

func (s *testDriver) attributesClass(field string, raw json.RawMessage) error {
	_, own, err := s.parameters(field, "volumeattributesclass", "mutableParameters", raw)
	if len(own) > 0 {
		s.Profile.MutableParameters = own
	}
	return err
}

// combine sets the fields of the profile that depend on several fields of the file, which may have any order.
func (s *testDriver) combine() {
	s.combineFileSystems()
	if !s.readWriteMany {
		return
	}
	if s.Profile.Cluster == nil {
		s.left("DriverInfo.Capabilities.RWX", "it belongs to cluster.readWriteMany, and the file has no TopologyKeys, which the section cluster requires")
		return
	}
	shared := profile.Kind{}
	if len(s.Profile.Volumes) > 0 {
		shared.Parameters = s.Profile.Volumes[0].Parameters
	}
	s.Profile.Cluster.ReadWriteMany = &shared
}

// combineFileSystems selects the file system of the StorageClass, otherwise the driver's default if it is supported,
// otherwise the first supported one.
func (s *testDriver) combineFileSystems() {
	s.Profile.FsType = s.classFsType
	if s.Profile.FsType == "" && len(s.supported) > 0 {
		s.Profile.FsType = s.supported[0] // the default is ""
	}
	for _, other := range s.supported {
		if other != "" && other != s.Profile.FsType {
			s.left("DriverInfo.SupportedFsType."+other, "a run has one file system: fsType chooses it")
		}
	}
}
