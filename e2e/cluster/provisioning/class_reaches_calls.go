// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// classReachesCalls shows that csi-provisioner and the kubelet pass on the settings of a class. A stand-in for the driver
// records the calls, so that the driver need not support the file system, the mount options or the parameters.
func classReachesCalls() []harness.Case {
	return []harness.Case{
		{
			ID:           "class_reaches_calls",
			Text:         "passes the file system, mount options and parameters of a class to the driver, and creates the PersistentVolume as class and claim say",
			Requirements: []string{"K8S-O2", "K8S-O21", "K8S-O23"},
			Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner(), needs.OwnNodePlugin()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				at := s.Zones(1)[0].Nodes[0]
				driver := standin.Create(ctx, s, false)
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{WithoutTopology: true, Flags: []string{"--extra-create-metadata"}})
				plugin := standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{driver}, staging()...)
				class := typedClass(ctx, driver)
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				raw := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)).Block().AccessModes(corev1.ReadOnlyMany, corev1.ReadWriteMany))
				provisioner.Provide(ctx, claim)
				provisioner.Provide(ctx, raw)

				volume, device := mustBeMade(ctx, s, claim), mustBeMade(ctx, s, raw)
				s.PlatformCheck(ctx, "K8S-O2", predicate.VolumeAsClaimed(volume, claim))
				s.PlatformCheck(ctx, "K8S-O2", predicate.VolumeAsClass(volume, class, fsType))
				s.PlatformCheck(ctx, "K8S-O2", predicate.VolumeAsClaimed(device, raw))
				created, createdRaw := provisioner.MustBeAsked(ctx, claim, predicate.AskedOnce), provisioner.MustBeAsked(ctx, raw, predicate.AskedOnce)
				s.PlatformCheck(ctx, "K8S-O21", predicate.HasParameters(created, withNames(claim)))
				s.PlatformCheck(ctx, "K8S-O21", predicate.HasParameters(createdRaw, withNames(raw)))
				s.PlatformCheck(ctx, "K8S-O23", predicate.AskedToMount(created, fsType, class.MountOptions, "CreateVolume"))
				if predicate.VolumeAsClaimed(volume, claim) != nil {
					return // the claim is not bound to it, so no pod can use it
				}

				pods.MustRun(ctx, s, pods.Create(ctx, s, workload.PodWith(claim).OnNode(at.Hostname)))
				onNode := slices.Concat(plugin.Asked(ctx, "NodeStageVolume"), plugin.Asked(ctx, "NodePublishVolume"))
				suite.Evidence(ctx, "calls to the node", onNode)
				for _, method := range []string{"NodeStageVolume", "NodePublishVolume"} {
					s.PlatformCheck(ctx, "K8S-O23", predicate.AskedToMount(onNode, fsType, class.MountOptions, method))
				}
			},
		},
		{
			ID:           "class_reaches_calls_unnamed",
			Text:         "passes the parameters of a class to the driver without the names of claim and PersistentVolume, unless --extra-create-metadata is set",
			Requirements: []string{"K8S-O21"},
			Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				driver := standin.Create(ctx, s, false)
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{WithoutTopology: true})
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(typedClass(ctx, driver)).Size(*gi(1)))
				provisioner.Provide(ctx, claim)
				claims.MustBind(ctx, s, claim)

				calls := provisioner.MustBeAsked(ctx, claim, predicate.AskedOnce)
				s.PlatformCheck(ctx, "K8S-O21", predicate.HasParameters(calls, ownParameters()))
			},
		},
	}
}

const fsType = "ext4"

// ownParameters returns the parameters of the class that are for the driver.
func ownParameters() map[string]string { return map[string]string{"flavour": "plain", "Size": "XL"} }

// typedClass creates a class of the driver with a file system, mount options, and parameters for the driver and for the
// sidecars. The secret that it names is for a call that is never made.
func typedClass(ctx context.Context, driver *standin.StandIn) *storagev1.StorageClass {
	parameters := map[string]string{
		"csi.storage.k8s.io/fstype":                             fsType,
		"csi.storage.k8s.io/controller-expand-secret-name":      "unused",
		"csi.storage.k8s.io/controller-expand-secret-namespace": "${pvc.namespace}",
	}
	maps.Copy(parameters, ownParameters())
	return driver.CreateClassAs(ctx, workload.Immediate().Parameters(parameters).MountOptions("noatime", "nodiratime"))
}

// withNames returns the parameters of CreateVolume for the claim's volume with --extra-create-metadata.
func withNames(claim *corev1.PersistentVolumeClaim) map[string]string {
	parameters := ownParameters()
	parameters["csi.storage.k8s.io/pvc/name"] = claim.Name
	parameters["csi.storage.k8s.io/pvc/namespace"] = claim.Namespace
	parameters["csi.storage.k8s.io/pv/name"] = recorder.NameOf(claim)
	return parameters
}

// mustBeMade waits for the claim's PersistentVolume, bound or not: a volume that does not match the claim is never bound.
func mustBeMade(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	volume := &corev1.PersistentVolume{}
	volume.Name = recorder.NameOf(claim)
	s.Until(ctx, s.Target.Timeouts.Bind, "PersistentVolume of claim "+claim.Name, func(ctx context.Context) error { return s.Reread(ctx, volume) })
	suite.Evidence(ctx, "PersistentVolume of "+claim.Name, volume.Spec)
	return volume
}

// staging returns the rules with which a node plugin stages volumes.
func staging() []trace.Rule {
	return []trace.Rule{
		{ID: "stages", Method: "NodeGetCapabilities", Answer: json.RawMessage(`{"capabilities":[{"rpc":{"type":"STAGE_UNSTAGE_VOLUME"}}]}`)},
		{ID: "stage", Method: "NodeStageVolume", Answer: json.RawMessage(`{}`)},
		{ID: "unstage", Method: "NodeUnstageVolume", Answer: json.RawMessage(`{}`)},
	}
}
