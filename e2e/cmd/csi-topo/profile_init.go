// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"

	"github.com/spf13/cobra"
	"k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/clusters/existing"
	"github.com/csi-topo/csi-topo/e2e/internal/target/endpoint"
	"github.com/csi-topo/csi-topo/e2e/internal/target/hook"
	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/draft"
	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/interview"
	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/inventory"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pernode"
)

// profileInit holds the options of `profile init`.
type profileInit struct {
	at         endpoints
	kubeconfig string
	// parameters are the parameters of created volumes, and secrets are sent with every call that has a field for them.
	parameters, secrets map[string]string
	file                draftFile
	out                 io.Writer
}

func newProfileInitCommand() *cobra.Command {
	asked := profileInit{}
	command := &cobra.Command{
		Use:   "init",
		Short: "Write a profile by asking the driver",
		Long: `Write a profile by asking the driver: its name, capabilities and segments, the size and form of the volumes that it
creates, and how its capacity changes. For everything that only the vendor knows, the file has comments that say how to find
out.

To see which volumes the driver creates, the command creates a few small ones, one after another, and removes them at once;
their names begin with csi-topo-. It changes nothing else.

With --kubeconfig, it also reads a cluster where the driver is installed: the driver's topology keys, its StorageClasses, and
the pods behind its sockets. The volumes get the parameters of the default StorageClass, or else of the first. Nothing is
changed in the cluster.

If the driver creates no volume without parameters or secrets, pass them by --parameter and --secret; they become part of the
profile. Users who can list the processes of this machine can see the values of flags.`,
		Example: `  csi-topo profile init --endpoint /csi/controller.sock --node-endpoint /csi/node-a.sock --node-endpoint /csi/node-b.sock
  csi-topo profile init --endpoint /csi/csi.sock --parameter server=10.0.0.1 --parameter share=/export --secret password=example
  csi-topo spec --profile csi.example.com.yaml`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			asked.out = command.OutOrStdout()
			return asked.run(command.Context())
		},
	}
	asked.at.addTo(command)
	command.Flags().StringVar(&asked.kubeconfig, "kubeconfig", "", "also read the cluster of this kubeconfig `file`, where the driver is installed")
	command.Flags().StringToStringVar(&asked.parameters, "parameter", nil, "a StorageClass parameter of the volumes to create, `key=value`; may be repeated")
	command.Flags().StringToStringVar(&asked.secrets, "secret", nil, "a secret, `key=value`, to send with every call that has a field for secrets; may be repeated")
	asked.file.addTo(command)
	return command
}

func (r profileInit) run(ctx context.Context) (err error) {
	if r.at.controller == "" && len(r.at.nodes) == 0 {
		return errors.New("there is no endpoint: want --endpoint, the path of a socket where the driver listens, or a gRPC target; or --node-endpoint alone for a driver without a controller, or with one on each node")
	}
	driver, err := endpoint.Connect(ctx, r.at.controller, r.at.nodes, profile.DefaultTimeouts().Restart)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.Close()) }()
	r.file.name(driver.Name)
	if err := r.file.mayWrite(); err != nil {
		return err
	}
	drafted := &draft.Draft{}
	drafted.Head = []string{"Written by `csi-topo profile init`. What begins with > says what was found, or how to find out; delete what you do not need. " +
		"`csi-topo profile check` checks the file, and `csi-topo spec --profile` uses it."}
	if err := r.askCluster(ctx, driver.Name, drafted); err != nil {
		return err
	}
	if err := r.askDriver(ctx, driver, drafted); err != nil {
		return err
	}
	return r.file.write(r.out, drafted)
}

// askCluster adds the cluster's information about the driver to the draft, if there is a cluster.
func (r profileInit) askCluster(ctx context.Context, driver string, drafted *draft.Draft) error {
	if r.kubeconfig == "" {
		return nil
	}
	config, err := existing.Connect(ctx, r.kubeconfig)
	if err != nil {
		return err
	}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("connecting to the cluster: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, profile.DefaultTimeouts().Query)
	defer cancel()
	objects, err := inventory.Read(ctx, kube, driver)
	if err != nil {
		return err
	}
	objects.Describe(drafted)
	return nil
}

// tell adds the parameters and secrets of the command line to the profile. They take precedence over the cluster's.
func (r profileInit) tell(p *profile.Profile) {
	if len(r.parameters) > 0 {
		p.Volumes = []profile.Kind{{Parameters: r.parameters}}
	}
	if s := r.secrets; len(s) > 0 {
		p.Secrets = profile.Secrets{
			CreateVolume: s, DeleteVolume: s, ControllerPublishVolume: s, ControllerUnpublishVolume: s, ValidateVolume: s,
			ControllerExpandVolume: s, ControllerModifyVolume: s, CreateSnapshot: s, DeleteSnapshot: s, ListSnapshots: s,
			NodeStageVolume: s, NodePublishVolume: s, NodeExpandVolume: s,
		}
	}
}

// askDriver adds the driver's answers to the draft.
func (r profileInit) askDriver(ctx context.Context, driver *endpoint.Connections, drafted *draft.Draft) error {
	r.tell(&drafted.Profile)
	described := drafted.Profile
	described.Driver, described.VolumeBytes = driver.Name, profile.Of(driver.Name).VolumeBytes
	target := &harness.Target{
		Controller: driver.Controller,
		Profile:    described,
		Run:        harness.NewRun(),
		Paths:      hook.Paths(described.Directories, "", profile.DefaultTimeouts()),
		Timeouts:   profile.DefaultTimeouts(),
	}
	at := profile.Endpoints{}
	if r.at.controller != "" {
		at.Controller = driver.ControllerTarget
	}
	for _, node := range driver.Nodes {
		target.Nodes = append(target.Nodes, node.Conn)
		if !driver.ControllerIsNode {
			at.Nodes = append(at.Nodes, node.Target)
		}
	}
	switch {
	case r.at.controller != "" || !driver.NodesControl(ctx):
	case len(driver.Nodes) == 1:
		at.Controller = driver.ControllerTarget
	default:
		drafted.Profile.ControllerPerNode, described.ControllerPerNode = true, true
		drafted.Note("controllerPerNode", "Every node endpoint serves the Controller service, and no --endpoint was given.")
	}
	if described.ControllerPerNode && len(target.Nodes) > 1 {
		target.Controller = pernode.New(target.Nodes)
	}
	suite := harness.New(target)
	found, err := interview.Ask(ctx, suite)
	suite.RemoveWhatIsLeft(ctx, r.out)
	if err != nil {
		return err
	}
	drafted.Profile.Endpoints = at
	found.Describe(drafted)
	return nil
}

// draftFile is the file for the profile.
type draftFile struct {
	path  string
	force bool
}

func (f *draftFile) addTo(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.path, "output-file", "", "write the profile to this `file`, or to standard output with - (default DRIVER-NAME.yaml)")
	flags.BoolVar(&f.force, "force", false, "overwrite the file if it exists")
}

const standardOutput = "-"

// name names the file after the driver, unless it has a name.
func (f *draftFile) name(driver string) {
	if f.path == "" {
		f.path = notInFileNames.ReplaceAllString(driver, "-") + ".yaml"
	}
}

// notInFileNames matches characters that are not allowed in drivers' names, and must not be in file names: a driver must
// not choose the directory.
var notInFileNames = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// mayWrite returns an error if the file exists, before the driver is called.
func (f draftFile) mayWrite() error {
	if f.path == standardOutput || f.force {
		return nil
	}
	switch _, err := os.Lstat(f.path); {
	case err == nil:
		return fmt.Errorf("%s exists: name another file by --output-file, or pass --force to overwrite it", f.path)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("looking for %s: %w", f.path, err)
	}
	return nil
}

// write writes the profile, and prints its location.
func (f draftFile) write(out io.Writer, drafted *draft.Draft) error {
	text, err := drafted.YAML()
	if err != nil {
		return err
	}
	if f.path == standardOutput {
		_, err := out.Write(text)
		return err
	}
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if f.force {
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	const private = 0o600 // a profile may have secrets
	file, err := os.OpenFile(f.path, how, private)
	if err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	fmt.Fprintf(out, "wrote %s, the profile of driver %q: read its comments, then run csi-topo spec --profile %s\n", f.path, drafted.Profile.Driver, f.path)
	return nil
}
