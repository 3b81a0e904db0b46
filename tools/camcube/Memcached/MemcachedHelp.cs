namespace CamCube.Tool.Memcached;

/// <summary>What -h, -V and -i print. Test suites look for words in it: only what exists may be named.</summary>
internal static class MemcachedHelp
{
    /// <summary>Of the protocol that is spoken, and the product.</summary>
    public const string Version = "memcached 1.6.18-camcube-0.1.0";

    public const string License = "CamCube's own implementation of memcached's protocols and command line; no code of memcached or libevent is in it.";

    public const string Text = Version + """

        -p, --port=<num>          TCP port to listen on (default: 11211); -1: any
        -U, --udp-port=<num>      only 0: off
        -s, --unix-socket=<file>  UNIX socket to listen on (disables network support)
        -a, --unix-mask=<mask>    access mask for UNIX socket, in octal (default: 700)
        -A, --enable-shutdown     enable ascii "shutdown" command
        -l, --listen=<addr>       interface to listen on (default: all), also
                                  addr:port, and several with commas
        -d, --daemon              run as a daemon
        -u, --user=<user>         assume identity of <username> (only when run as root)
        -m, --memory-limit=<num>  item memory in megabytes (default: 64)
        -M, --disable-evictions   return error on memory exhausted instead of evicting
        -c, --conn-limit=<num>    max simultaneous connections (default: 1024)
        -v, --verbose             print warnings, and which options have no effect here
        -h, --help                print this help and exit
        -i, --license             print license and exit
        -V, --version             print version and exit
        -P, --pidfile=<file>      save PID in <file>, only used with -d option
        -D <char>                 delimiter of key prefixes for "stats detail" (default: ":")
        -t, --threads=<num>       number of loops (default: 1), each with its part of the items
        -C, --disable-cas         disable use of CAS
        -b, --listen-backlog=<num> set the backlog queue limit (default: 1024)
        -B, --protocol=<name>     protocol - one of ascii, binary, or auto (default: auto)
        -I, --max-item-size=<num> adjusts max item size (default: 1m, min: 1k, max: 64m)
        -F, --disable-flush-all   disable flush_all command
        -R, --max-reqs-per-event=<num> commands of one client in one turn (default: 1024)
        -X, --disable-dumping     disable stats cachedump
        -Y, --auth-file=<file>    ASCII protocol authentication; lines user:pass
        -o, --extended            comma separated list of extended options
           - idle_timeout:        timeout for idle connections in seconds (default: 0, none)
           - track_sizes:         enable dynamic reports for "stats sizes" command
        Options that tune memcached's slabs, hash table and threads (-f -k -L -n -N -r -W,
        most of -o) are accepted and have no effect; -v names them.

        """;
}
