// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/internal/job"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

func newJobCommand() *cobra.Command {
	var described clusterProfile
	var o job.Options
	command := &cobra.Command{
		Use:   "job [flags] [-- flags of csi-topo cluster]",
		Short: "Print a Job that runs the cluster tier inside a cluster",
		Long: `Print a Job that runs the cluster tier inside the cluster with the driver under test, with the profile, and a service account
with the permissions that the cases need. These amount to an administrator's, as cases create namespaces and pods and run
programs in them: delete the objects after the run. The Job writes its report to the ConfigMap csi-topo-report in the
namespace csi-topo. ` + "`csi-topo images`" + ` builds both images and pushes them to a registry. After --, pass flags of
csi-topo cluster that select cases and limit time.`,
		Example: `  csi-topo job --profile csi.example.com.yaml --image registry.example.com/csi-topo:v1 --workload-image registry.example.com/csi-topo-workload:v1 | kubectl apply -f -
  csi-topo job --image registry.example.com/csi-topo:v1 --workload-image registry.example.com/csi-topo-workload:v1 -- --label smoke
  kubectl logs --namespace csi-topo --follow job/csi-topo
  kubectl get configmap --namespace csi-topo csi-topo-report --output jsonpath='{.data.report\.html}' > report.html
  csi-topo job --image registry.example.com/csi-topo:v1 --workload-image registry.example.com/csi-topo-workload:v1 | kubectl delete -f -`,
		Args: func(command *cobra.Command, args []string) error {
			if before := command.ArgsLenAtDash(); before > 0 || before < 0 && len(args) > 0 {
				return fmt.Errorf("unknown argument %q: pass flags of csi-topo cluster after --", args[0])
			}
			return checkRunFlags(args)
		},
		RunE: func(command *cobra.Command, args []string) error {
			if o.Image == "" || o.WorkloadImage == "" {
				return errors.New("a Job needs --image, the image of csi-topo, and --workload-image, the image of the cases' pods: `csi-topo images` builds both, and pushes them to a registry")
			}
			if err := described.read(); err != nil {
				return err
			}
			text, err := profile.Text(described.name)
			if err != nil {
				return err
			}
			o.Profile, o.Text, o.Args = described.profile, string(text), args
			objects, err := job.Objects(o)
			if err != nil {
				return err
			}
			for _, object := range objects {
				content, err := yaml.Marshal(object)
				if err != nil {
					return fmt.Errorf("writing %s %s: %w", object.GetKind(), object.GetName(), err)
				}
				if _, err := fmt.Fprintf(command.OutOrStdout(), "---\n%s", content); err != nil {
					return err
				}
			}
			return nil
		},
	}
	described.addTo(command)
	flags := command.Flags()
	flags.StringVar(&o.Image, "image", "", "the `image` of csi-topo, which the nodes can pull: csi-topo images --push-csi-topo builds it")
	flags.StringVar(&o.WorkloadImage, "workload-image", "", "the `image` of the cases' pods: csi-topo images --push-workload builds it")
	flags.StringToStringVar(&o.NodeSelector, "node-selector", nil, "`label=value` of the nodes that may run the Job, if not all can run the image")
	return command
}

// checkRunFlags returns an error for flags that `csi-topo cluster` would refuse in the Job.
func checkRunFlags(args []string) error {
	run := newClusterCommand()
	if err := run.ParseFlags(append([]string{"--in-cluster"}, args...)); err != nil {
		return err
	}
	for _, name := range []string{"profile", "workload-image", "report-dir", "report-configmap"} {
		if run.Flags().Changed(name) {
			return fmt.Errorf("--%s after --: csi-topo job sets this flag itself", name)
		}
	}
	if rest := run.Flags().Args(); len(rest) > 0 {
		return fmt.Errorf("unknown argument %q after --: want flags of csi-topo cluster", rest[0])
	}
	return run.ValidateFlagGroups()
}
