package valkey

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/valkey-io/valkey-go"

	"postern/internal/fence"
)

// library is the server's side of the fence. Its name and those of its functions carry a
// version: gateways of two versions may share a Valkey while they are replaced.
//
//go:embed postern.lua
var library string

const functionPrefix = "postern_3_"

// call runs one function in one round trip, and loads the library first where it is
// missing. The answer is the function's list.
func (f *Fence) call(ctx context.Context, function string, readOnly bool, args ...string) ([]valkey.ValkeyMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	list, err := f.fcall(ctx, function, readOnly, args)
	if isMissing(err) {
		if err := f.load(ctx); err != nil {
			return nil, unavailable(err)
		}
		list, err = f.fcall(ctx, function, readOnly, args)
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return list, nil
}

func (f *Fence) fcall(ctx context.Context, function string, readOnly bool, args []string) ([]valkey.ValkeyMessage, error) {
	f.calls.Add(1)
	name := functionPrefix + function
	if readOnly {
		return f.client.Do(ctx, f.client.B().FcallRo().Function(name).Numkeys(1).Key(f.prefix).Arg(args...).Build()).ToArray()
	}
	return f.client.Do(ctx, f.client.B().Fcall().Function(name).Numkeys(1).Key(f.prefix).Arg(args...).Build()).ToArray()
}

func (f *Fence) load(ctx context.Context) error {
	return f.client.Do(ctx, f.client.B().FunctionLoad().Replace().FunctionCode(library).Build()).Error()
}

func isMissing(err error) bool {
	var said *valkey.ValkeyError
	return errors.As(err, &said) && strings.Contains(said.Error(), "Function not found")
}

// unavailable says of an error of the connection or the server what callers need to know.
func unavailable(err error) error {
	var said *valkey.ValkeyError
	if errors.As(err, &said) && strings.HasPrefix(said.Error(), "OOM") {
		return fmt.Errorf("%w: %w", fence.ErrFull, err)
	}
	return fmt.Errorf("%w: %w", fence.ErrUnavailable, err)
}
