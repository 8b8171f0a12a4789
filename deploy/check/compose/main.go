// Loads a Compose file as `docker compose` does, with the checks between its fields, and prints it as JSON. The program that
// compose-go brings itself checks only the schema.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:],
		cli.WithInterpolation(true),
		cli.WithResolvedPaths(true),
		cli.WithNormalization(true),
		cli.WithConsistency(true),
	)
	fail(err)
	project, err := options.LoadProject(context.Background())
	fail(err)
	out, err := project.MarshalJSON()
	fail(err)
	fmt.Println(string(out))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
