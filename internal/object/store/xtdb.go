package store

import (
	"context"
	"errors"

	"github.com/haversack-dev/haversack/internal/object"
)

type XTDBOptions struct{ Authorization string }

func OpenXTDB(ctx context.Context, address string, o XTDBOptions) (object.Store, error) {
	return nil, errors.New("todo")
}
