package transport

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"postern/generated/routes"
	"postern/internal/eserr"
)

// run calls the endpoint. A panic in it costs this request, not the process.
func (x *exchange) run(ctx context.Context, call func(ctx context.Context) (routes.Answer, error)) (answer routes.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer, err = nil, &panicError{p, debug.Stack()}
		}
	}()
	answer, err = call(ctx)
	if err != nil && errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		err = eserr.Timeout(fmt.Sprintf("the request took longer than [%s]", x.cfg.Deadline))
	}
	return answer, err
}

// panicError is a panic as an error.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }
