package generated

import (
	"fmt"
	"reflect"
	"testing"
)

var fourZones = Shape{Segments: 4, Kinds: []int{1, 2}, Nodes: 4, Room: true, Grow: true, List: true}

func TestASeedIsAPlan(t *testing.T) {
	if first, again := Draw(7, 500, fourZones), Draw(7, 500, fourZones); !reflect.DeepEqual(first, again) {
		t.Error("the same seed draws two plans")
	}
	if first, other := Draw(7, 500, fourZones), Draw(8, 500, fourZones); reflect.DeepEqual(first, other) {
		t.Error("two seeds draw the same plan")
	}
	if longer := Draw(7, 600, fourZones); !reflect.DeepEqual(longer[:500], Draw(7, 500, fourZones)) {
		t.Error("a longer plan begins otherwise")
	}
}

// TestFiveHundredStepsHaveEveryKind counts what is in plans of the usual length: every move, every size, every shape of
// requirement with every kind of volume, x below, at and above n, and every use of a name.
func TestFiveHundredStepsHaveEveryKind(t *testing.T) {
	wanted := []string{
		"create a new name", "create a name that is taken", "create a name that was deleted", "again", "delete", "delete again",
		"publish", "unpublish", "list",
	}
	for _, size := range []Size{Unit, Double, Fitting, TooLarge} {
		wanted = append(wanted, fmt.Sprintf("create, size %d", size), fmt.Sprintf("grow, size %d", size))
	}
	wanted = append(wanted, fmt.Sprintf("grow, size %d", Present))
	for _, x := range fourZones.Kinds {
		wanted = append(wanted, fmt.Sprintf("x = %d, neither", x), fmt.Sprintf("x = %d, both", x))
		for n := 1; n <= fourZones.Segments; n++ {
			wanted = append(wanted, fmt.Sprintf("x = %d, requisite of %d", x, n), fmt.Sprintf("x = %d, preferred of %d", x, n))
		}
	}
	for seed := range int64(20) {
		found := kinds(Draw(seed, 500, fourZones))
		for _, kind := range wanted {
			if found[kind] == 0 {
				t.Errorf("seed %d: no step is of the kind %q", seed, kind)
			}
		}
	}
}

// kinds counts the steps of each kind.
func kinds(plan []Step) map[string]int {
	found, names := map[string]int{}, map[int]string{}
	for _, step := range plan {
		switch step.Move {
		case Create:
			if names[step.Name] == "" {
				found["create a new name"]++
			}
			found["create a name that "+names[step.Name]]++
			names[step.Name] = "is taken"
			found[fmt.Sprintf("create, size %d", step.Size)]++
			found[fmt.Sprintf("x = %d, requisite of %d", step.X, len(step.Requisite))]++
			found[fmt.Sprintf("x = %d, preferred of %d", step.X, len(step.Preferred))]++
			if len(step.Requisite) == 0 && len(step.Preferred) == 0 {
				found[fmt.Sprintf("x = %d, neither", step.X)]++
			}
			if len(step.Requisite) > 0 && len(step.Preferred) > 0 {
				found[fmt.Sprintf("x = %d, both", step.X)]++
			}
		case Delete:
			found["delete"]++
			if names[step.Name] == "was deleted" {
				found["delete again"]++
			}
			names[step.Name] = "was deleted"
		case Grow:
			found[fmt.Sprintf("grow, size %d", step.Size)]++
		default:
			found[step.Move.String()]++
		}
	}
	return found
}

func TestAPlanHasWhatTheDriverHas(t *testing.T) {
	for _, step := range Draw(1, 500, Shape{Kinds: []int{1}}) {
		if step.Move == Grow || step.Move == List || step.Move == Publish || step.Move == Unpublish {
			t.Errorf("%s is drawn for a driver that does not have it", step.Move)
		}
		if len(step.Requisite)+len(step.Preferred) > 0 || step.Segment != 0 || step.Size > Double {
			t.Errorf("%+v is drawn for a driver without topology that does not tell its room", step)
		}
	}
}

// A requirement that a CO may not send is no question to a driver.
func TestRequirementsAreValid(t *testing.T) {
	for _, step := range Draw(1, 5000, fourZones) {
		seen := map[int]bool{}
		for _, segment := range step.Requisite {
			if seen[segment] {
				t.Fatalf("%v repeats a segment", step.Requisite)
			}
			seen[segment] = true
		}
		for _, segment := range step.Preferred {
			if len(step.Requisite) > 0 && !seen[segment] {
				t.Fatalf("%v is preferred outside requisite %v", step.Preferred, step.Requisite)
			}
		}
	}
}
