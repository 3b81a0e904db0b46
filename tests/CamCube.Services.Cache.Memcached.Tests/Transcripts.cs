namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>
/// Requests on an empty cache and the replies of memcached 1.6.18 (Debian 12) to them, word for word; with our version
/// in the one reply that names it.
/// </summary>
internal static class Transcripts
{
    private static readonly string Key250 = new('k', 250);
    private static readonly string Key251 = new('k', 251);

    public static (string Name, string Request, string Reply)[] All { get; } =
    [
        ("get of nothing", "get a\r\nget a b c\r\ngets a\r\nget  a \r\n", "END\r\nEND\r\nEND\r\nEND\r\n"),
        (
            "get without keys",
            "get\r\nget \r\ngets\r\ngat\r\ngat 1\r\ngetx a\r\nget a\0b\r\n",
            "ERROR\r\nERROR\r\nERROR\r\nERROR\r\nEND\r\nERROR\r\nEND\r\n"
        ),
        (
            "set and get",
            "set a 7 0 3\r\nabc\r\nget a\r\nbget a\r\n",
            "STORED\r\nVALUE a 7 3\r\nabc\r\nEND\r\nVALUE a 7 3\r\nabc\r\nEND\r\n"
        ),
        (
            "line ends",
            "set a 0 0 3\nabc\r\nget a\nget a\r\n version\r\n\r\n\nversion\r\r\nget a\r",
            "STORED\r\nVALUE a 0 3\r\nabc\r\nEND\r\nVALUE a 0 3\r\nabc\r\nEND\r\nVERSION 1.6.18-camcube-0.1.0\r\n"
                + "ERROR\r\nERROR\r\nERROR\r\n"
        ),
        (
            "many keys",
            "set b 1 0 1\r\nx\r\nset d 2 0 2\r\nyz\r\nget a b  c d e b\r\ngat 0 d b\r\n",
            "STORED\r\nSTORED\r\nVALUE b 1 1\r\nx\r\nVALUE d 2 2\r\nyz\r\nVALUE b 1 1\r\nx\r\nEND\r\n"
                + "VALUE d 2 2\r\nyz\r\nVALUE b 1 1\r\nx\r\nEND\r\n"
        ),
        (
            "empty and odd values",
            "set e 0 0 0\r\n\r\nget e\r\nset o 0 0 6\r\n\r\n\0\r\n\n\r\nget o\r\n",
            "STORED\r\nVALUE e 0 0\r\n\r\nEND\r\nSTORED\r\nVALUE o 0 6\r\n\r\n\0\r\n\n\r\nEND\r\n"
        ),
        (
            "add and replace",
            "add b 0 0 1\r\ny\r\nadd b 0 0 1\r\nz\r\nreplace d 0 0 1\r\ny\r\nreplace b 7 0 1\r\nz\r\nget b\r\n",
            "STORED\r\nNOT_STORED\r\nNOT_STORED\r\nSTORED\r\nVALUE b 7 1\r\nz\r\nEND\r\n"
        ),
        (
            "append and prepend",
            "append b 0 0 1\r\ny\r\nprepend b 0 0 1\r\ny\r\nset b 7 0 1\r\nz\r\nappend b 9 0 1\r\n1\r\n"
                + "prepend b 9 0 1\r\n0\r\nget b\r\n",
            "NOT_STORED\r\nNOT_STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\nVALUE b 7 3\r\n0z1\r\nEND\r\n"
        ),
        (
            "cas",
            "cas b 0 0 1 1\r\ny\r\nset b 3 0 1\r\nx\r\ngets b\r\ncas b 4 0 1 9\r\ny\r\ncas b 4 0 1 1\r\ny\r\n"
                + "gets b\r\ncas b 0 0 1 0\r\nz\r\ngats 0 b\r\n",
            "NOT_FOUND\r\nSTORED\r\nVALUE b 3 1 1\r\nx\r\nEND\r\nEXISTS\r\nSTORED\r\nVALUE b 4 1 2\r\ny\r\nEND\r\n"
                + "EXISTS\r\nVALUE b 4 1 2\r\ny\r\nEND\r\n"
        ),
        (
            "errors of cas",
            "cas a 0 0 1\r\ncas a 0 0 1 x\r\ny\r\ncas a 0 0 1 noreply\r\ny\r\ncas a 0 0 1 1 2 3\r\n",
            "ERROR\r\nCLIENT_ERROR bad command line format\r\nERROR\r\nERROR\r\nERROR\r\n"
        ),
        (
            "delete",
            "delete b\r\nset b 0 0 1\r\nx\r\ndelete b\r\nset b 0 0 1\r\nx\r\ndelete b 0\r\nget b\r\n",
            "NOT_FOUND\r\nSTORED\r\nDELETED\r\nSTORED\r\nDELETED\r\nEND\r\n"
        ),
        (
            "errors of delete",
            $"delete\r\ndelete a 1\r\ndelete a 0 0\r\ndelete a 0 noreply x\r\ndelete {Key251}\r\n"
                + "delete a foo noreply\r\ndelete a 0 noreply\r\ndelete a noreply\r\n",
            "ERROR\r\nCLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n"
                + "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\nERROR\r\n"
                + "CLIENT_ERROR bad command line format\r\n"
        ),
        (
            "incr and decr",
            "incr n 1\r\nset n 0 0 2\r\n99\r\nincr n 1\r\ndecr n 1\r\nget n\r\n"
                + "incr n 18446744073709551615\r\ndecr n 1000000\r\nget n\r\nincr n 1 foo\r\n"
                + "incr n -18446744073709551615\r\n",
            "NOT_FOUND\r\nSTORED\r\n100\r\n99\r\nVALUE n 0 3\r\n99 \r\nEND\r\n98\r\n0\r\nVALUE n 0 3\r\n0  \r\nEND\r\n"
                + "1\r\n2\r\n"
        ),
        (
            "errors of incr",
            "set n 0 0 2\r\nxx\r\nincr n 1\r\nincr n x\r\nincr n -1\r\ndecr n 18446744073709551616\r\n"
                + $"incr n\r\nincr n 1 2 3\r\nincr {Key251} 1\r\nincr n noreply\r\n",
            "STORED\r\nCLIENT_ERROR cannot increment or decrement non-numeric value\r\n"
                + "CLIENT_ERROR invalid numeric delta argument\r\nCLIENT_ERROR invalid numeric delta argument\r\n"
                + "CLIENT_ERROR invalid numeric delta argument\r\nERROR\r\nERROR\r\n"
                + "CLIENT_ERROR bad command line format\r\n"
        ),
        (
            "touch",
            $"touch a 0\r\nset a 0 0 1\r\nx\r\ntouch a 0\r\ntouch a 0 foo\r\ntouch a x\r\ntouch a\r\n"
                + $"touch {Key251} 0\r\ntouch a 0 1 2\r\ntouch a noreply\r\ntouch a -1\r\nget a\r\n",
            "NOT_FOUND\r\nSTORED\r\nTOUCHED\r\nTOUCHED\r\nCLIENT_ERROR invalid exptime argument\r\nERROR\r\n"
                + "CLIENT_ERROR bad command line format\r\nERROR\r\nTOUCHED\r\nEND\r\n"
        ),
        (
            "gat",
            "set a 0 0 1\r\nx\r\ngat 10 a b\r\ngat x a\r\ngat 4294967296 a\r\ngat 0 a b\r\ngat -1 a\r\nget a\r\n",
            "STORED\r\nVALUE a 0 1\r\nx\r\nEND\r\nCLIENT_ERROR invalid exptime argument\r\nVALUE a 0 1\r\nx\r\nEND\r\n"
                + "VALUE a 0 1\r\nx\r\nEND\r\nVALUE a 0 1\r\nx\r\nEND\r\nEND\r\n"
        ),
        (
            "expiry",
            "set a 0 -1 1\r\nx\r\nget a\r\nset a 0 4294967295 1\r\nx\r\nget a\r\nset a 0 abc 1\r\nx\r\n",
            "STORED\r\nEND\r\nSTORED\r\nEND\r\nCLIENT_ERROR bad command line format\r\nERROR\r\n"
        ),
        (
            "flags",
            "set a 4294967295 0 1\r\nx\r\nget a\r\nset a 4294967296 0 1\r\nx\r\nget a\r\nset a +5 0 1\r\nx\r\n"
                + "get a\r\nset a -1 0 1\r\nx\r\n",
            "STORED\r\nVALUE a 4294967295 1\r\nx\r\nEND\r\nSTORED\r\nVALUE a 0 1\r\nx\r\nEND\r\nSTORED\r\n"
                + "VALUE a 5 1\r\nx\r\nEND\r\nCLIENT_ERROR bad command line format\r\nERROR\r\n"
        ),
        (
            "length of keys",
            $"set {Key250} 0 0 1\r\nx\r\nget {Key250}\r\nget {Key251}\r\n" + $"set {Key251} 0 0 1\r\nx\r\n",
            $"STORED\r\nVALUE {Key250} 0 1\r\nx\r\nEND\r\nCLIENT_ERROR bad command line format\r\n"
                + "CLIENT_ERROR bad command line format\r\nERROR\r\n"
        ),
        ("one long key of many", $"get {Key250} a {Key251} b\r\n", "CLIENT_ERROR bad command line format\r\n"),
        ("one long key of many, touched", $"gat 0 a {Key251}\r\n", "CLIENT_ERROR bad command line format\r\n"),
        (
            "lengths",
            "set a 0 0 -1\r\nset a 0 0 2147483647\r\nset a 0 0 2147483646\r\n"
                + "set a 0 0 18446744073709551617\r\nset a 0 0 x\r\nset a 0 0\r\nset a 0 0 1 2 3\r\n"
                + "set a 0 0 1 junk\r\nx\r\n",
            "CLIENT_ERROR bad command line format\r\nCLIENT_ERROR bad command line format\r\n"
                + "CLIENT_ERROR bad command line format\r\nCLIENT_ERROR bad command line format\r\n"
                + "CLIENT_ERROR bad command line format\r\nERROR\r\nERROR\r\nSTORED\r\n"
        ),
        (
            "bad data chunks",
            "set a 0 0 3\r\nabcdef\r\nset a 0 0 3\r\nabcde\r\nset a 0 0 3\r\nabc\nget a\r\nget a\r\n",
            "CLIENT_ERROR bad data chunk\r\nERROR\r\nCLIENT_ERROR bad data chunk\r\nERROR\r\n"
                + "CLIENT_ERROR bad data chunk\r\nERROR\r\nEND\r\n"
        ),
        (
            "noreply",
            "set a 1 0 1 noreply\r\nx\r\nadd a 0 0 1 noreply\r\ny\r\nappend a 0 0 1 noreply\r\nz\r\nget a\r\n"
                + "cas a 0 0 1 99 noreply\r\ny\r\nset n 0 0 1 noreply\r\n5\r\nincr n 3 noreply\r\ndecr n 1 noreply\r\n"
                + "touch n 0 noreply\r\nget n\r\ndelete a noreply\r\ndelete n 0 noreply\r\nget a n\r\nflush_all "
                + "noreply\r\n"
                + "flush_all 0 noreply\r\nverbosity 1 noreply\r\n",
            "VALUE a 1 2\r\nxz\r\nEND\r\nVALUE n 0 1\r\n7\r\nEND\r\nEND\r\n"
        ),
        (
            "noreply leaves out errors",
            "set a x 0 3 noreply\r\nabc\r\nset a 0 0 3 noreply\r\nabcdefgh\r\n"
                + "incr a x noreply\r\nset a 0 0 3 noreply noreply\r\nverbosity noreply\r\n",
            "ERROR\r\nERROR\r\nERROR\r\n"
        ),
        (
            "noreply as a key",
            "set noreply 0 0 1\r\nx\r\nget noreply noreply\r\ndelete noreply\r\n",
            "STORED\r\nVALUE noreply 0 1\r\nx\r\nVALUE noreply 0 1\r\nx\r\nEND\r\nDELETED\r\n"
        ),
        (
            "flush_all",
            "set a 0 0 1\r\nx\r\nflush_all\r\nget a\r\nflush_all 0\r\nflush_all -1\r\nflush_all 10\r\n"
                + "flush_all x\r\nflush_all 1 2\r\nflush_all 1 2 3\r\n",
            "STORED\r\nOK\r\nEND\r\nOK\r\nOK\r\nOK\r\nCLIENT_ERROR invalid exptime argument\r\nOK\r\nERROR\r\n"
        ),
        (
            "verbosity",
            "verbosity\r\nverbosity 1\r\nverbosity x\r\nverbosity 1 2\r\nverbosity 1 2 3\r\n",
            "ERROR\r\nOK\r\nCLIENT_ERROR bad command line format\r\nOK\r\nERROR\r\n"
        ),
        (
            "version",
            "version\r\nversion foo\r\nVERSION\r\nGET a\r\n",
            "VERSION 1.6.18-camcube-0.1.0\r\nVERSION 1.6.18-camcube-0.1.0\r\nERROR\r\nERROR\r\n"
        ),
        (
            "stats of nothing",
            "stats reset\r\nstats detail\r\nstats detail on\r\nstats detail off\r\nstats detail dump\r\n"
                + "stats detail foo\r\nstats sizes\r\nstats foo\r\nstats noreply\r\n",
            "RESET\r\nCLIENT_ERROR usage: stats detail on|off|dump\r\nOK\r\nOK\r\nEND\r\n"
                + "CLIENT_ERROR usage: stats detail on|off|dump\r\nSTAT sizes_status disabled\r\nEND\r\n"
                + "ERROR\r\nERROR\r\n"
        ),
        (
            "unknown commands",
            "a\r\nxx\r\nxx yy zz\r\nshutdown\r\nlru\r\nlru_crawler\r\n",
            "ERROR\r\nERROR\r\nERROR\r\nERROR: shutdown not enabled\r\nERROR\r\nERROR\r\n"
        ),
        ("quit", "version\r\nquit foo\r\nversion\r\n", "VERSION 1.6.18-camcube-0.1.0\r\n"),
        ("HTTP", "FOO / HTTP/1.1\r\nversion\r\n", ""),
        ("half a command", "set a 0 0 5\r\nab", ""),
    ];
}
