// SPDX-License-Identifier: Apache-2.0

package schedulers

import (
	"encoding/json"
	"testing"
)

func TestConfigurationOfAScheduler(t *testing.T) {
	var got struct {
		LeaderElection struct{ LeaderElect *bool }
		Profiles       []struct {
			SchedulerName string
			Plugins       struct {
				Score struct{ Disabled, Enabled []struct{ Name string } }
			}
			PluginConfig []struct {
				Name string
				Args map[string]any
			}
		}
	}
	how := Scheduling{ScoredBy: "PodTopologySpread", VolumeBinding: map[string]any{"bindTimeoutSeconds": 3}}
	if err := json.Unmarshal([]byte(how.configuration("own")), &got); err != nil {
		t.Fatal(err)
	}
	if got.LeaderElection.LeaderElect == nil || *got.LeaderElection.LeaderElect {
		t.Error("it would wait for the cluster's scheduler to give up the lead")
	}
	if len(got.Profiles) != 1 || got.Profiles[0].SchedulerName != "own" {
		t.Fatalf("got profiles %+v, want one that is called own", got.Profiles)
	}
	profile := got.Profiles[0]
	if score := profile.Plugins.Score; len(score.Disabled) != 1 || score.Disabled[0].Name != "*" || len(score.Enabled) != 1 || score.Enabled[0].Name != "PodTopologySpread" {
		t.Errorf("got %+v, want nodes scored by PodTopologySpread alone", score)
	}
	if config := profile.PluginConfig; len(config) != 1 || config[0].Name != "VolumeBinding" || config[0].Args["bindTimeoutSeconds"] != 3.0 || config[0].Args["kind"] != "VolumeBindingArgs" {
		t.Errorf("got %+v, want the arguments of VolumeBinding", config)
	}
}
