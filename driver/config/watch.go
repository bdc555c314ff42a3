// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"

	"github.com/fsnotify/fsnotify"
	"k8s.io/klog/v2"
)

// Watch calls apply with each configuration in the file that differs from the one in force, until the context ends; then
// it returns nil. It logs once if the file is invalid or missing, and leaves the configuration in force.
//
// Replace the file by renaming another to its path, so that it is never read half written. Kubernetes does the same with
// a mounted ConfigMap or Secret, where the file is a link to ..data/<file>, and the link ..data is replaced. The
// directory must stay: changes in a new directory of the same name are not seen.
func Watch(ctx context.Context, path string, inForce Configuration, apply func(Configuration)) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching the configuration %s: %w", path, err)
	}
	defer func() { _ = watcher.Close() }()
	// A watch on the file would end when the file is replaced.
	if err := watcher.Add(filepath.Dir(path)); err != nil {
		return fmt.Errorf("watching the configuration %s: %w", path, err)
	}

	file := watched{path: path, inForce: inForce, apply: apply}
	// Changes between the loading of inForce and now have no event.
	file.read(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-watcher.Events:
			// Any change in the directory may concern the file: only reading it shows that.
			file.read(ctx)
		case err := <-watcher.Errors:
			klog.FromContext(ctx).Error(err, "events were lost, so the configuration is read again", "file", path)
			file.read(ctx)
		}
	}
}

// watched is a file, with the result of reading it last.
type watched struct {
	path    string
	inForce Configuration
	apply   func(Configuration)
	problem string // of the last reading, "" for none
}

func (w *watched) read(ctx context.Context) {
	c, err := Load(w.path)
	if err != nil {
		w.refuse(ctx, err)
		return
	}
	w.problem = ""
	if reflect.DeepEqual(c, w.inForce) {
		return
	}
	w.inForce = c
	w.apply(c)
	klog.FromContext(ctx).Info("the configuration changed", "file", w.path)
}

func (w *watched) refuse(ctx context.Context, err error) {
	if err.Error() == w.problem {
		return
	}
	w.problem = err.Error()
	klog.FromContext(ctx).Error(err, "the configuration in force stays", "file", w.path)
}
