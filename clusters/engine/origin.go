// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
)

// origin is the state of the host before the daemon changed it.
type origin struct {
	// Firewall is the output of each …tables-save, by the name of the command without -save.
	Firewall map[string]string `json:"firewall"`
	// Sysctls holds values by their files.
	Sysctls map[string]string `json:"sysctls"`
}

// saveHost writes the host's state to path. An existing file of an unfinished run stays, because it is older than the
// changes.
func saveHost(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	o := origin{Firewall: map[string]string{}, Sysctls: map[string]string{}}
	for _, command := range []string{"iptables", "ip6tables"} {
		if rules, err := exec.CommandContext(ctx, command+"-save").Output(); err == nil {
			o.Firewall[command] = string(rules)
		}
	}
	for _, file := range []string{
		"/proc/sys/net/ipv4/ip_forward",
		"/proc/sys/net/ipv6/conf/default/forwarding",
		"/proc/sys/net/ipv6/conf/all/forwarding",
	} {
		if value, err := os.ReadFile(file); err == nil {
			o.Sysctls[file] = strings.TrimSpace(string(value))
		}
	}
	text, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return fmt.Errorf("describing the host: %w", err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("saving the host's firewall: %w", err)
	}
	return nil
}

// restoreHost restores the state that saveHost wrote to path, unless the host has meanwhile started its own Docker, which
// needs the same chains.
func restoreHost(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading what to restore on the host: %w", err)
	}
	var o origin
	if err := json.Unmarshal(text, &o); err != nil {
		return fmt.Errorf("reading what to restore on the host: %s: %w", path, err)
	}
	if _, err := (client{host: "unix:///var/run/docker.sock"}).version(ctx); err != nil {
		if err := o.restore(ctx); err != nil {
			return err
		}
	}
	return os.Remove(path)
}

func (o origin) restore(ctx context.Context) error {
	for command, before := range o.Firewall {
		now, err := exec.CommandContext(ctx, command+"-save").Output()
		if err != nil {
			return fmt.Errorf("reading the firewall: %s-save: %w", command, err)
		}
		undo := undoFirewall(before, string(now))
		if undo == "" {
			continue
		}
		restore := exec.CommandContext(ctx, command+"-restore", "--noflush")
		restore.Stdin = strings.NewReader(undo)
		if out, err := restore.CombinedOutput(); err != nil {
			return fmt.Errorf("removing Docker's chains from the firewall: %s-restore: %w: %s", command, err, strings.TrimSpace(string(out)))
		}
	}
	for file, value := range o.Sysctls {
		now, err := os.ReadFile(file)
		if err != nil || strings.TrimSpace(string(now)) == value {
			continue
		}
		if err := os.WriteFile(file, []byte(value), 0o644); err != nil {
			return fmt.Errorf("setting %s back to %s: %w", file, value, err)
		}
	}
	return nil
}
