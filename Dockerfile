# Haversack as a container: one static binary on nothing, with the certificates that it needs to
# talk to the artifact service. Any builder will do, with BuildKit or without.
FROM golang:1.26.8 AS build
WORKDIR /src
COPY . .
# Set by BuildKit when an image for another architecture is asked for; empty means this one.
ARG TARGETARCH
# Stamped by a release.
ARG VERSION=dev
# Without HTTP/2, which no service that it talks to asks for, the program is half a megabyte smaller, and where functions begin
# at every 16 bytes, not at every 32, .3; where nothing is done often functions are not written out at their calls: .5.
# -buildvcs=false: a .git that belongs to somebody else must not stop the build.
RUN in=github.com/haversack-dev/haversack/internal \
    && CGO_ENABLED=0 GOARCH=$TARGETARCH go build -tags nethttpomithttp2 -trimpath -buildvcs=false \
        -gcflags=$in/action=-l -gcflags=$in/serve=-l -gcflags=$in/report=-l -gcflags=$in/deliver=-l -gcflags=$in/project=-l -gcflags=$in/review=-l -gcflags=$in/job=-l -gcflags=$in/plan=-l -gcflags=$in/snapshot=-l -gcflags=$in/repo=-l -gcflags=$in/lookup=-l \
        -gcflags=$in/record=-l -gcflags=$in/artifact=-l -gcflags=$in/registry=-l -gcflags=$in/object=-l -gcflags=$in/object/store=-l -gcflags=$in/pack=-l -gcflags=$in/graph/views=-l \
        -gcflags=github.com/modelcontextprotocol/go-sdk/mcp=-l -gcflags=github.com/google/jsonschema-go/jsonschema=-l -gcflags=golang.org/x/crypto/ssh=-l -gcflags=github.com/spf13/cobra=-l -gcflags=github.com/spf13/pflag=-l \
        -gcflags=github.com/google/go-github/v60/github=-l -gcflags=oras.land/oras-go/v2/registry/remote=-l -gcflags=oras.land/oras-go/v2=-l -gcflags=github.com/pelletier/go-toml/v2=-l -gcflags=github.com/microsoft/typescript-go/internal/tsoptions=-l \
        -gcflags=net=-l -gcflags=net/http=-l -gcflags=crypto/tls=-l -gcflags=crypto/x509=-l -gcflags=github.com/segmentio/encoding/json=-l -gcflags=github.com/yuin/goldmark/parser=-l -gcflags=github.com/go-json-experiment/json=-l -gcflags=github.com/go-json-experiment/json/jsontext=-l -gcflags=go.yaml.in/yaml/v3=-l -gcflags=encoding/gob=-l -gcflags=golang.org/x/mod/modfile=-l -gcflags=$in/forge=-l \
        -ldflags "-s -w -funcalign=16 -X main.version=$VERSION" -o /image/haversack ./cmd/action \
    && mkdir -p /image/etc/ssl/certs \
    && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
    && mkdir -m 1777 /image/tmp

FROM scratch
LABEL org.opencontainers.image.title="Haversack" \
      org.opencontainers.image.description="Packs a repository, and one change to it, for an assistant" \
      org.opencontainers.image.source="https://github.com/haversack-dev/haversack" \
      org.opencontainers.image.licenses="Apache-2.0" \
      io.modelcontextprotocol.server.name="io.github.haversack-dev/haversack"
COPY --from=build /image/ /
# No USER. The runner mounts the workspace and the files for outputs and summary; they belong to the
# runner's own user, whose id is not the same everywhere, and only root may write to all of them.
# Haversack gives what it makes to the owner of the workspace.
# A container of this image ends with the run: results must lie on what is mounted.
ENV HAVERSACK_IMAGE=1
ENTRYPOINT ["/haversack"]
