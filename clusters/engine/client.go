// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// probeTimeout limits how long an engine may take to report its version.
const probeTimeout = 10 * time.Second

// client runs the docker command against one engine.
type client struct {
	host string // DOCKER_HOST; empty means the command's default
}

// run returns the standard output of the docker command.
func (c client) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "docker", args...)
	if c.host != "" {
		cmd.Env = append(os.Environ(), "DOCKER_HOST="+c.host)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("there is no docker command")
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("docker %s: %w", args[0], ctx.Err())
	}
	if said := errorMessage(stderr.String()); said != "" {
		return "", fmt.Errorf("docker %s: %s", args[0], said)
	}
	return "", fmt.Errorf("docker %s: %w", args[0], err)
}

// lines returns the output of the docker command, split into one word per line.
func (c client) lines(ctx context.Context, args ...string) ([]string, error) {
	out, err := c.run(ctx, args...)
	return strings.Fields(out), err
}

// version returns the version of the daemon; an error means that there is no answer.
func (c client) version(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	return c.run(ctx, "version", "--format", "{{.Server.Version}}")
}

// errorMessage returns the last line that the docker command printed, without its hints.
func errorMessage(stderr string) string {
	said, hint, _ := strings.Cut(strings.TrimSpace(stderr), "\n\n")
	if !strings.Contains(hint, "--help'") {
		said = stderr
	}
	return strings.TrimSuffix(lastLine(said), ". Is the docker daemon running?")
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
