# Sourced by the suites: starts the built host and stops it when the script ends. No program of its own.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1

work=$(mktemp -d)
host=""
stop_host() {
    [ -z "$host" ] || { kill "$host" 2>/dev/null && wait "$host" 2>/dev/null; }
    host=""
}
trap 'stop_host; rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# port_block <count>: sets port to the first of so many free ports in a row.
port_block() {
    local first busy candidate
    for first in $(seq 21300 100 29900); do
        busy=""
        for candidate in $(seq "$first" $((first + $1 - 1))); do
            (exec 3<>"/dev/tcp/127.0.0.1/$candidate") 2>/dev/null && busy=yes && break
        done
        [ -n "$busy" ] || { port=$first; return; }
    done
    fail "no $1 free ports in a row"
}

# start_host <shape> <servers>: sets port to the first memcached port.
start_host() {
    stop_host
    port_block $((2 * $2))
    : >"$work/host.out" # or the line of the host before would be found, where this one is slow to begin
    dotnet artifacts/bin/CamCube.Host/release/CamCube.Host.dll "--CamCube:Shape=$1" \
        "--CamCube:FrontEnds:memcached:Port=$port" "--CamCube:Http:Port=$((port + $2))" >"$work/host.out" 2>&1 &
    host=$!
    for _ in $(seq 600); do
        grep -q '^CamCube ready' "$work/host.out" && return
        kill -0 "$host" 2>/dev/null || { cat "$work/host.out" >&2; fail "the host ended before it was ready"; }
        sleep 0.1
    done
    fail "the host was not ready within a minute"
}
