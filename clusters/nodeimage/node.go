// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// node describes a built node image.
type node struct {
	minor, version string
	parts          []component
	key            string
}

func (b *Builder) node(ctx context.Context, minor string) (node, error) {
	kubernetes, version, err := kubernetes(minor)
	if err != nil {
		return node{}, err
	}
	n := node{minor: minor, version: version, parts: []component{kubernetes, containerRuntime(), etcd()}}
	recipe, err := b.recipeKey()
	if err != nil {
		return node{}, err
	}
	kind, err := b.kindVersion()
	if err != nil {
		return node{}, err
	}
	keys := append([]string{recipe, kind, suite}, nodePackages()...)
	for _, part := range n.parts {
		key, err := part.key(ctx)
		if err != nil {
			return node{}, err
		}
		keys = append(keys, key)
	}
	n.key = cache.Key(keys...)
	return n, nil
}

// image returns the name of the built image in the container engine.
func (n node) image() string { return fmt.Sprintf("csi-topo/node:%s-%s", n.version, n.key) }

func (n node) entry() string { return fmt.Sprintf("node-%s-%s", n.version, n.key) }

// buildNode returns the node image's archive, and builds it if the cache does not have it.
func (b *Builder) buildNode(ctx context.Context, n node) (string, error) {
	dir, err := b.Cache.Entry(ctx, "images", n.entry(), func(ctx context.Context, dir string) error {
		programs := map[string]string{}
		var rootfs string
		work, parts := errgroup.WithContext(ctx)
		// The Go builds use every core by themselves; the packages mostly wait for the network.
		work.Go(func() (err error) {
			for _, part := range n.parts {
				if programs[part.title], err = b.programs(parts, part); err != nil {
					return err
				}
			}
			return nil
		})
		work.Go(func() (err error) {
			rootfs, err = b.rootfs(parts)
			return err
		})
		if err := work.Wait(); err != nil {
			return err
		}
		a := assembly{
			Builder: b, node: n, dir: dir, rootfs: rootfs,
			kubernetes: programs[n.parts[0].title], runtime: programs[n.parts[1].title], etcd: programs[n.parts[2].title],
		}
		return b.Progress.Step(ctx, "assembling the node image", a.run)
	})
	return filepath.Join(dir, "image.tar"), err
}

// assembly puts a node image together from its parts.
type assembly struct {
	*Builder
	node
	// dir is the directory for the archive.
	dir                       string
	rootfs                    string
	kubernetes, runtime, etcd string
}

func (a assembly) run(ctx context.Context, log io.Writer) error {
	root := filepath.Join(a.dir, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(root) }()
	if err := run(command(ctx, log, "tar", "-C", root, "--numeric-owner", "-xpf", a.rootfs)); err != nil {
		return err
	}
	if err := a.install(ctx, log, root); err != nil {
		return err
	}
	images, err := a.podImages(ctx, root)
	if err != nil {
		return err
	}
	preload := filepath.Join(a.dir, "preload.tar")
	if err := save(preload, images); err != nil {
		return err
	}
	defer func() { _ = os.Remove(preload) }()

	base := a.image() + "-base"
	if err := a.importRoot(ctx, log, root, base); err != nil {
		return err
	}
	defer func() { _ = a.docker(context.WithoutCancel(ctx), log, "rmi", base).Run() }()
	if err := a.commit(ctx, log, base, preload); err != nil {
		return err
	}
	return run(a.docker(ctx, log, "save", "-o", filepath.Join(a.dir, "image.tar"), a.image()))
}

// install puts kind's files and the node's own programs into root, and finishes it.
func (a assembly) install(ctx context.Context, log io.Writer, root string) error {
	kind, err := a.kindModule(ctx)
	if err != nil {
		return err
	}
	if err := copyKindFiles(filepath.Join(kind, "images", "base", "files"), root); err != nil {
		return fmt.Errorf("copying kind's node files: %w", err)
	}
	for dir, programs := range map[string][]string{
		"usr/bin":       {"kubeadm", "kubelet", "kubectl"},
		"usr/local/bin": {"containerd", "ctr", "containerd-shim-runc-v2"},
		"opt/cni/bin":   {"ptp", "host-local", "loopback", "portmap"},
	} {
		for _, program := range programs {
			from := filepath.Join(a.runtime, program)
			if dir == "usr/bin" {
				from = filepath.Join(a.kubernetes, program)
			}
			if err := copyFile(from, filepath.Join(root, dir, program), 0o755); err != nil {
				return err
			}
		}
	}
	for name, content := range map[string]string{
		"kind/version":                        a.version,
		"kind/manifests/default-cni.yaml":     noNetworkManifest,
		"kind/manifests/default-storage.yaml": noStorageManifest,
	} {
		if err := writeFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	script, err := recipe.ReadFile("finish.sh")
	if err != nil {
		return err
	}
	finish := command(ctx, log, "chroot", root, "/bin/bash", "-s")
	finish.Stdin = strings.NewReader(string(script))
	finish.Env = []string{"PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"}
	return run(finish)
}

// kind applies both manifests when it creates a cluster. Package kind, which knows every node's pod range, sets up the
// network of a built node; volumes come from the driver under test.
const (
	noNetworkManifest = `apiVersion: v1
kind: ConfigMap
metadata: {name: pod-network, namespace: kube-system}
data: {plugin: "ptp, one range per node"}
`
	noStorageManifest = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: standard}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
`
)

// kindVersion returns the version of kind that this module requires.
func (b *Builder) kindVersion() (string, error) {
	name := filepath.Join(b.Source, "go.mod")
	content, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("reading the version of kind: %w", err)
	}
	return required(name, content, "sigs.k8s.io/kind")
}

func (a assembly) kindModule(ctx context.Context) (string, error) {
	cmd := command(ctx, io.Discard, "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kind")
	cmd.Dir = a.Source
	return output(cmd)
}

// podImages returns the images that kubeadm's pods run, under the names that kubeadm requires.
func (a assembly) podImages(ctx context.Context, root string) (map[string]v1.Image, error) {
	list, err := output(command(ctx, io.Discard, filepath.Join(a.kubernetes, "kubeadm"), "config", "images", "list", "--kubernetes-version", a.version))
	if err != nil {
		return nil, err
	}
	images := map[string]v1.Image{}
	for _, image := range append(strings.Fields(list), sandboxImage) {
		repository, _, _ := strings.Cut(image, ":")
		files, entrypoint, err := a.podImage(filepath.Base(repository), root)
		if err != nil {
			return nil, fmt.Errorf("building %s: %w", image, err)
		}
		if images[image], err = scratch(files, entrypoint...); err != nil {
			return nil, fmt.Errorf("building %s: %w", image, err)
		}
	}
	return images, nil
}

// sandboxImage is the image that kind's containerd configuration runs in every pod.
const sandboxImage = "registry.k8s.io/pause:3.10"

func (a assembly) podImage(program, root string) (files map[string]file, entrypoint []string, err error) {
	switch program {
	case "pause":
		files, err = closure(root, "usr/bin/catatonit")
		return files, []string{"/usr/bin/catatonit", "-P"}, err
	case "coredns":
		files, err = programFile(filepath.Join(a.runtime, program), program)
		return files, []string{"/coredns"}, err
	case "etcd":
		files, err = programFile(filepath.Join(a.etcd, "server"), "usr/local/bin/etcd")
		return files, nil, err
	case "kube-proxy":
		if files, err = proxyTools(root); err != nil {
			return nil, nil, err
		}
	default:
		files = map[string]file{}
	}
	content, err := os.ReadFile(filepath.Join(a.kubernetes, program))
	files["usr/local/bin/"+program] = file{mode: 0o755, content: content}
	return files, nil, err
}

// proxyTools returns the programs that kube-proxy runs. It compares the rules that nft lists with the wanted ones, by the
// names of protocols: without a file of names, nft lists numbers, and kube-proxy's hourly check considers every service
// removed.
func proxyTools(root string) (map[string]file, error) {
	files, err := closure(root, "usr/sbin/nft", "usr/sbin/conntrack")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"etc/protocols", "etc/services"} {
		content, err := readIn(root, name)
		if err != nil {
			return nil, err
		}
		files[name] = file{mode: 0o644, content: content}
	}
	return files, nil
}

func programFile(from, as string) (map[string]file, error) {
	content, err := os.ReadFile(from)
	return map[string]file{as: {mode: 0o755, content: content}}, err
}

func (a assembly) importRoot(ctx context.Context, log io.Writer, root, image string) error {
	pack := command(ctx, log, "tar", "-C", root, "--numeric-owner", "-cf", "-", ".")
	unpack := a.docker(ctx, log, "import",
		"--change", "ENV container=docker",
		"--change", `ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]`,
		"-", image)
	return pipe(pack, unpack)
}

// commit imports the pod images into the node's containerd, whose store is a part of
// the image, so that a node starts without pulling.
func (a assembly) commit(ctx context.Context, log io.Writer, base, preload string) error {
	container, err := output(a.docker(ctx, log, "run", "--detach", "--security-opt", "seccomp=unconfined", "--network", "none",
		// systemd's own signal, which the committed image keeps.
		"--stop-signal", "SIGRTMIN+3",
		"--label", "csi-topo=build", "--entrypoint", "sleep", base, "infinity"))
	if err != nil {
		return err
	}
	defer func() { _ = a.docker(context.WithoutCancel(ctx), log, "rm", "--force", "--volumes", container).Run() }()

	archive, err := os.Open(preload)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	load := a.docker(ctx, log, "exec", "--interactive", container, "bash", "-c", preloadScript)
	load.Stdin = archive
	if err := run(load); err != nil {
		return err
	}
	return run(a.docker(ctx, log, "commit",
		"--change", `ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]`, container, a.image()))
}

// preloadScript imports images as kind itself does: the content stays packed, and the node that runs it unpacks it.
const preloadScript = `set -euo pipefail
containerd >/tmp/containerd.log 2>&1 &
for _ in $(seq 100); do ctr version >/dev/null 2>&1 && break; sleep 0.1; done
ctr --namespace=k8s.io images import --label=io.cri-containerd.pinned=pinned --all-platforms --no-unpack --digests - ||
	{ cat /tmp/containerd.log; exit 1; }
kill %1; wait; rm /tmp/containerd.log`

func pipe(from, to *exec.Cmd) error {
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	from.Stdout, to.Stdin = writer, reader
	startErr := from.Start()
	_ = writer.Close()
	if startErr != nil {
		_ = reader.Close()
		return fmt.Errorf("%s: %w", strings.Join(from.Args, " "), startErr)
	}
	toErr := run(to)
	_ = reader.Close()
	if err := from.Wait(); err != nil && toErr == nil {
		return fmt.Errorf("%s: %w", strings.Join(from.Args, " "), err)
	}
	return toErr
}
