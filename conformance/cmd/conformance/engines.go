package main

import (
	"context"
	"fmt"

	"postern/conformance/engines"
)

type upCommand struct {
	Name  string `arg:"" help:"elasticsearch, opensearch, postern or qdrant."`
	Port  int    `help:"Where it shall listen on 127.0.0.1 (default: the engine's own)."`
	Cache string `help:"The folder for programs and data (default: below the user's cache folder)."`
}

func (c *upCommand) Run(ctx context.Context) error {
	engine, err := engines.Named(c.Name)
	if err != nil {
		return err
	}
	cache, err := engines.Cache(c.Cache)
	if err != nil {
		return err
	}
	running, err := engines.Up(ctx, engine, cache, c.Port)
	if err != nil {
		return err
	}
	fmt.Println(running.Address)
	return nil
}

type downCommand struct {
	Name  string `arg:"" help:"elasticsearch, opensearch, postern or qdrant."`
	Cache string `help:"As given to up."`
}

func (c *downCommand) Run(ctx context.Context) error {
	cache, err := engines.Cache(c.Cache)
	if err != nil {
		return err
	}
	return engines.Down(ctx, cache, c.Name)
}

type statusCommand struct {
	Cache string `help:"As given to up."`
}

func (c *statusCommand) Run(ctx context.Context) error {
	cache, err := engines.Cache(c.Cache)
	if err != nil {
		return err
	}
	for _, e := range engines.All() {
		r, err := engines.Find(cache, e.Name())
		if err != nil {
			fmt.Printf("%-14s down\n", e.Name())
			continue
		}
		state, err := e.Ask(ctx, r.Address)
		if err != nil {
			state.Health = err.Error()
		}
		memory, err := r.Memory()
		if err != nil {
			return err
		}
		fmt.Printf("%-14s up    %s  version %s  %s  %d MiB  pid %d\n", e.Name(), r.Address, state.Version, state.Health, memory>>20, r.PID)
	}
	return nil
}
