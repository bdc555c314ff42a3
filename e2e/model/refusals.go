package model

import "google.golang.org/grpc/codes"

// refusals are the codes allowed, given what is wrong with the request itself and which volumes are allowed.
func (r Request) refusals(w World, malformed Reason, volumes []Volume) []Refusal {
	var allowed []Refusal
	if malformed != (Reason{}) {
		allowed = append(allowed, Refusal{Code: codes.InvalidArgument, Reasons: []Reason{
			{"GEN-12", "an invalid field is INVALID_ARGUMENT"}, malformed,
		}})
	}
	possible := len(volumes) > 0
	if ghosts := r.ghosts(w); len(ghosts) > 0 && malformed == (Reason{}) {
		allowed = append(allowed, Refusal{Code: codes.InvalidArgument, Discouraged: possible, Reasons: []Reason{
			{"GEN-12", "an unsupported value is INVALID_ARGUMENT: no node reports " + ghosts.String()},
		}})
	}
	switch {
	case !possible:
		allowed = append(allowed, Refusal{Code: codes.ResourceExhausted, Reasons: []Reason{
			r.mustFail(), {"CVE-08", "a topology where nothing can be provisioned is RESOURCE_EXHAUSTED"},
		}})
	case malformed == (Reason{}) && len(r.Preferred) > 0 && !r.preferredOnly(volumes[0].Segments):
		allowed = append(allowed, Refusal{Code: codes.ResourceExhausted, Discouraged: true, Reasons: []Reason{
			{volumes[0].Reasons[0].Clause, "falling back from preferred is a MAY, and users will regret a driver that does not"},
		}})
	}
	return allowed
}

// mustFail is the clause by which an impossible request fails.
func (r Request) mustFail() Reason {
	n := len(r.Requisite.distinct())
	switch {
	case n == 0:
		return Reason{"CVE-01", "a volume that cannot be made is a failure"}
	case len(r.Preferred) > 0:
		return Reason{"PF-07", "no requisite topology is possible: CreateVolume fails"}
	case r.X == n:
		return Reason{"TR-08", "x = n, and not all requisite topologies are possible: CreateVolume fails"}
	case r.X < n:
		return Reason{"TR-12", "x < n, and not x requisite topologies are possible: CreateVolume fails"}
	default:
		return Reason{"TR-17", "x > n, and not x topologies with all of requisite are possible: CreateVolume fails"}
	}
}
