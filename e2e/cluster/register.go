package cluster

import (
	"context"

	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Register declares the cluster tier's cases for the target, by area. It only builds the
// tree: nothing is asked of the cluster before the cases run.
func Register(t *Target) {
	tier := &suite{target: t}
	for _, area := range areas() {
		ginkgo.Describe(area.name, ginkgo.Serial, func() {
			for _, declare := range area.cases {
				declare(tier)
			}
		})
	}
}

// area is a group of cases; each declares one behaviour and has a file of its own.
type area struct {
	name  string
	cases []func(*suite)
}

func areas() []area {
	return []area{
		{"binding", []func(*suite){
			wffcEachZone,
			wffcWaitsForConsumer,
			wffcWaitsForScheduling,
			wffcAllowedTwoZones,
			wffcAllowedExcludesPod,
			wffcAllowedPatched,
			immediateOneZone,
			immediateTwoZones,
			immediatePodElsewhere,
			immediateStatefulSetRoundRobin,
			retain,
		}},
		{"topology", []func(*suite){
			csinodeTopology,
			twoZonesBoth,
			twoZonesFailover,
			twoZonesMoreThanRequisite,
			twoZonesOneFull,
		}},
		{"capacity", []func(*suite){
			capacityPerZone,
			capacityEqualsDriver,
			capacityOnlyWaiting,
			capacityFollowsVolume,
			fullZoneAvoided,
			fullEverywhere,
			staleReschedules,
			immediateFullZoneRetries,
			immediateTakesFreeZone,
			freedRoomSchedules,
		}},
		{"spread", []func(*suite){
			spreadStatefulSet,
			spreadDoNotSchedule,
			spreadScheduleAnyway,
			spreadIgnoresAllowedTopologies,
		}},
		{"expansion", []func(*suite){
			growMounted,
			growUnmounted,
			growAfterRestart,
			growForbidden,
		}},
		{"attachment", []func(*suite){
			attachedBeforeRunning,
			detachedAfterPod,
			movesWithinZone,
			singleWriterOneNode,
			nodePluginRestarts,
		}},
	}
}

// suite is what the cases of a run share.
type suite struct{ target *Target }

// it declares a case: its scenario is made before, and torn down and checked for leaks
// after the body.
func (t *suite) it(text string, labels ginkgo.Labels, body func(ctx context.Context, s *scenario)) {
	limits := t.target.Timeouts
	ginkgo.It(text, labels, ginkgo.Offset(1), ginkgo.NodeTimeout(limits.Case), func(ctx ginkgo.SpecContext) {
		s, err := begin(ctx, t.target, verdict.CaseID(labels))
		if err != nil {
			verdict.CouldNotTell("preparing the case: %v", err)
		}
		// What the body's end leaves undone, a failed or interrupted body needs as well.
		ginkgo.DeferCleanup(func(ctx ginkgo.SpecContext) {
			defer s.driver.close()
			if ginkgo.CurrentSpecReport().Failed() {
				s.showObjects(ctx)
			}
			if err := s.tearDown(ctx); err != nil {
				verdict.CouldNotTell("%v", err)
			}
		}, ginkgo.NodeTimeout(limits.CleanUp))
		body(ctx, s)
		s.mustLeaveNothing(ctx)
	})
}

// mustLeaveNothing tears the case down and fails it for what then is still there.
func (s *scenario) mustLeaveNothing(ctx context.Context) {
	ginkgo.GinkgoHelper()
	s.need(s.tearDown(ctx), "after the case")
	s.until(ctx, s.target.Timeouts.Delete, "nothing left behind", func(ctx context.Context) error {
		now, err := s.holdings(ctx)
		if err != nil {
			return err
		}
		return predicate.NothingLeft(s.before, now)
	})
}
