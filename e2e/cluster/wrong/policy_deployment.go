package wrong

// deployments change the provisioners that cases start.
func deployments() []Policy {
	of := Policy{Group: "apps", Version: "v1", Resource: "deployments"}
	return of.each([]Policy{{
		ID: "provisions_twice", Text: "runs two provisioners, and none that leads",
		When:   `request.operation == 'CREATE' && object.metadata.name == 'provisioner' && object.spec.replicas == 1`,
		Patch:  `[JSONPatch{op: "replace", path: "/spec/replicas", value: 2}]`,
		Caught: []string{"provisioner_killed"},
	}})
}
