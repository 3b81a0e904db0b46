using CamCube.Services.Cache.Memcached;

namespace CamCube.Memcached;

/// <summary>What -h, -V and -i print. Test suites look for words in it: only what exists may be named.</summary>
internal static class MemcachedHelp
{
    /// <summary>Of the protocol that is spoken, and the product.</summary>
    public const string Version = $"memcached {MemcachedFrontEnd.Version}";

    public const string License =
        "CamCube's own implementation of memcached's protocols and command line; no code of memcached or libevent "
        + "is in it.";

    public const string Text =
        Version
        + """

            -p, --port=<num>          TCP port to listen on (default: 11211); -1: any
            -U, --udp-port=<num>      only 0: off
            -s, --unix-socket=<file>  UNIX socket to listen on (disables network support)
            -a, --unix-mask=<mask>    access mask for UNIX socket, in octal (default: 700)
            -A, --enable-shutdown     enable ascii "shutdown" command
            -l, --listen=<addr>       interface to listen on (default: all), also
                                      addr:port, and several with commas; with -Z also
                                      notls:<addr>:<port>, without TLS there
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
            -Z, --enable-ssl          enable TLS/SSL; needs -o ssl_chain_cert
            -o, --extended            comma separated list of extended options
               - maxconns_fast:       close new connections over -c at once (default); no_maxconns_fast:
                                      let them wait
               - idle_timeout:        timeout for idle connections in seconds (default: 0, none)
               - track_sizes:         enable dynamic reports for "stats sizes" command
               - ssl_chain_cert:      certificate chain file in PEM format
               - ssl_key:             private key in PEM format, if not part of the ssl_chain_cert
               - ssl_verify_mode:     peer certificate verification: 0 (none, default), 1 (if the client
                                      has one), 2 (needed)
               - ssl_ca_cert:         PEM format file of acceptable client CA's
               - ssl_ciphers:         cipher suites of TLS 1.2, single names with colons between them
               - ssl_min_version:     2 (tlsv1.2, default) or 3 (tlsv1.3)
               - ssl_session_cache:   clients may take up their sessions again
               - ssl_wbuf_size:       kilobytes of answers that are encrypted at once (default: 16)
            Options that tune memcached's slabs, hash table and threads (-f -k -L -n -N -r -W,
            most of -o) are accepted and have no effect; -v names them.

            """;
}
