// SPDX-License-Identifier: Apache-2.0

// Package timeouts has the limits of every wait of the cluster tier. It does not know the conditions of the waits.
package timeouts

import "time"

// Limits limit each kind of wait. Reaching a limit is no evidence by itself: the observations until then decide between a
// failure and an error.
type Limits struct {
	// Poll is the time between the first two observations. It grows up to LongPoll.
	Poll, LongPoll time.Duration
	// Case is for a whole case, CleanUp for the clean-up after it.
	Case, CleanUp time.Duration
	// Connect is for the relay's container to run and the driver to answer its first call.
	Connect time.Duration
	// Call is for one call to the driver.
	Call time.Duration
	// Bind is for a claim to get its volume, or to be refused one.
	Bind time.Duration
	// Schedule is for the scheduler's decision on a pod.
	Schedule time.Duration
	// Run is for a pod to be scheduled, provisioned, attached, mounted and ready.
	Run time.Duration
	// Restart is for the driver's pods on a node to be replaced, and then for the driver to be registered again.
	Restart time.Duration
	// Detach is for the attachment to be deleted after its pod.
	Detach time.Duration
	// Lost is for the cluster to notice that a node is gone, and then for its objects to be collected.
	Lost time.Duration
	// Delete is for a volume to be deleted after its claim.
	Delete time.Duration
	// Capacity is for CSIStorageCapacity objects to follow the driver.
	Capacity time.Duration
	// Metrics is for a kubelet to ask the driver for the usage of volumes, by default once in one or two minutes.
	Metrics time.Duration
	// Notice is for a controller to react to an object.
	Notice time.Duration
	// Snapshot is for a snapshot to be ready to use.
	Snapshot time.Duration
	// Expand is for a growth to reach the file system.
	Expand time.Duration
}

// Scaled returns each of the limits multiplied by the factor; the time between observations is unchanged.
func (t Limits) Scaled(factor float64) Limits {
	for _, limit := range []*time.Duration{
		&t.Case, &t.CleanUp, &t.Connect, &t.Call, &t.Bind, &t.Schedule, &t.Run, &t.Restart, &t.Detach, &t.Lost, &t.Delete, &t.Capacity, &t.Metrics,
		&t.Notice, &t.Snapshot, &t.Expand,
	} {
		*limit = time.Duration(float64(*limit) * factor)
	}
	return t
}

// Default returns limits that are generous for a busy machine; in a healthy cluster, nothing waits that long.
func Default() Limits {
	return Limits{
		Poll:     200 * time.Millisecond,
		LongPoll: time.Second,
		Case:     5 * time.Minute,
		CleanUp:  3 * time.Minute,
		Connect:  time.Minute,
		Call:     30 * time.Second,
		Bind:     time.Minute,
		Schedule: time.Minute,
		Run:      2 * time.Minute,
		Restart:  2 * time.Minute,
		Detach:   2 * time.Minute,
		Lost:     2 * time.Minute,
		Delete:   time.Minute,
		Capacity: time.Minute,
		Metrics:  150 * time.Second,
		Notice:   30 * time.Second,
		Snapshot: 2 * time.Minute,
		Expand:   2 * time.Minute,
	}
}
