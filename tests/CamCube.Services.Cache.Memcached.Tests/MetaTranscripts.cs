namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>
/// Meta commands, and commands that tune, on an empty cache, and the replies of memcached 1.6.18 (Debian 12) to them,
/// word for word.
/// </summary>
internal static class MetaTranscripts
{
    private static readonly string Key250 = new('k', 250);

    public static (string Name, string Request, string Reply)[] All { get; } =
    [
        (
            "mg",
            "mg a\r\nmg a v\r\nset a 5 0 3\r\nabc\r\nmg a\r\nmg a v\r\nmg a s v t f c k Oxy h l\r\n"
                + "mg a h\r\nmg  a  k  \r\nmg a k q Oq\r\nmg b k q Oq\r\nmg b k Oq\r\nmg b v s t f c h l\r\n",
            "EN\r\nEN\r\nSTORED\r\nHD\r\nVA 3\r\nabc\r\nVA 3 s3 t-1 f5 c1 ka Oxy h1 l0\r\nabc\r\n"
                + "HD h1\r\nHD ka\r\nHD ka Oq\r\nEN kb Oq\r\nEN\r\n"
        ),
        (
            "mg without an update",
            "set a 0 100 1\r\nx\r\nmg a u h\r\nmg a h\r\nmg a h t\r\nmg a T200 t\r\nmg a T0 t\r\n"
                + "mg a T-1\r\nmg a\r\n",
            "STORED\r\nHD h0\r\nHD h0\r\nHD h1 t100\r\nHD t200\r\nHD t-1\r\nHD\r\nEN\r\n"
        ),
        (
            "mg makes an item once",
            "mg a N100 v t s c\r\nmg a N100 v t s c\r\nmg a v\r\nms a 2\r\nhi\r\nmg a v N100 c\r\n",
            "VA 0 t100 s0 c1 W\r\n\r\nVA 0 t100 s0 c1 Z\r\n\r\nVA 0 Z\r\n\r\nHD\r\nVA 2 c2\r\nhi\r\n"
        ),
        (
            "mg wins before the end",
            "set a 0 100 1\r\nx\r\nmg a R30\r\nmg a R200 t\r\nmg a R200\r\nmg a\r\nset a 0 0 1\r\ny\r\n"
                + "mg a R200\r\nmg a R0\r\n",
            "STORED\r\nHD\r\nHD t100 W\r\nHD Z\r\nHD Z\r\nSTORED\r\nHD\r\nHD\r\n"
        ),
        (
            "md leaves it stale",
            "ms a 1\r\nx\r\nmd a I T100\r\nmg a v c t\r\nmg a v c\r\nget a\r\nms a 1 I C2 c\r\ny\r\n"
                + "mg a v c t\r\nms a 1 I C1 c\r\nz\r\nmg a v c\r\nms a 1 C5 c\r\nq\r\n",
            "HD\r\nHD\r\nVA 1 c2 t100 X W\r\nx\r\nVA 1 c2 Z X\r\nx\r\nVALUE a 0 1\r\nx\r\nEND\r\n"
                + "HD c3\r\nVA 1 c3 t-1\r\ny\r\nHD c4\r\nVA 1 c4 X W\r\nz\r\nEX c0\r\n"
        ),
        (
            "ms",
            "ms a 3\r\nabc\r\nms a 3 T0 F9 c k Oxyz\r\nabc\r\nmg a f v\r\nms a 0\r\n\r\nmg a v\r\n"
                + "ms a 2 q\r\nhi\r\nms b 2 q MR\r\nhi\r\nms a 2 ME c\r\nno\r\nms a 2 MA\r\n12\r\n"
                + "ms a 2 MP k\r\n34\r\nmg a v\r\nms c 1 MA\r\nx\r\nms a 1 C99 c\r\nx\r\nms b 1 C99 c\r\nx\r\n"
                + "ms a 1 MS Oabc q\r\n1\r\nms a 1 ME\r\n2\r\n",
            "HD\r\nHD c2 ka Oxyz\r\nVA 3 f9\r\nabc\r\nHD\r\nVA 0\r\n\r\nNS\r\nNS c0\r\nHD\r\nHD ka\r\n"
                + "VA 6\r\n34hi12\r\nNS\r\nEX c0\r\nNF c0\r\nNS\r\n"
        ),
        (
            "errors of ms",
            "ms\r\nms a\r\nms a x\r\nms a -1\r\nms a 2147483646\r\nms a 3 S100\r\nabc\r\nms a 3 c c\r\n"
                + "abc\r\nms a 3 MX\r\nabc\r\nms a 3 MXX\r\nabc\r\nms a 3 M\r\nabc\r\nms a 3 Tx\r\nabc\r\n"
                + "ms a 3 Cx\r\nabc\r\nms a 3 Fx\r\nabc\r\nms a 3 Ooooooooooooooooooooooooooooooooo\r\nabc\r\n"
                + "ms a 3 q\r\nabcde\r\nms "
                + Key250
                + "k 1\r\nms a 3 b\r\nabc\r\nmg a\r\n",
            "ERROR\r\nCLIENT_ERROR bad command line format\r\nCLIENT_ERROR bad command line format\r\n"
                + "CLIENT_ERROR bad command line format\r\nCLIENT_ERROR bad command line format\r\n"
                + "CLIENT_ERROR invalid flag\r\nCLIENT_ERROR duplicate flag\r\n"
                + "CLIENT_ERROR invalid mode for ms M token\r\nCLIENT_ERROR incorrect length for M token\r\n"
                + "CLIENT_ERROR incorrect length for M token\r\n"
                + "CLIENT_ERROR bad token in command line format\r\n"
                + "CLIENT_ERROR bad token in command line format\r\nCLIENT_ERROR bad command line format\r\n"
                + "CLIENT_ERROR opaque token too long\r\nCLIENT_ERROR bad data chunk\r\nERROR\r\n"
                + "CLIENT_ERROR bad command line format\r\nCLIENT_ERROR error decoding key\r\nEN\r\n"
        ),
        (
            "base64 keys",
            "ms Zm9v 3 b k c\r\nabc\r\nmg foo k v\r\nmg Zm9v b k v\r\nms Zm9vYg== 1 b k\r\nx\r\n"
                + "mg Zm9v k\r\nmg Zm9vYg== b k\r\nmg Zm9vYmE= b k\r\nms foo 1 k\r\ny\r\nmg Zm9v b k v\r\n"
                + "mg ==== b\r\nmg Zm9 b\r\nmg Zm*9v b v\r\nmd Zm9v b k\r\nmd Zm9v b k\r\nma Zm9v b k\r\n"
                + "me Zm9 b\r\n",
            "HD kZm9v b c1\r\nVA 3 kZm9v b\r\nabc\r\nVA 3 kZm9v b\r\nabc\r\nHD kZm9vYg== b\r\n"
                + "EN kZm9v\r\nHD kZm9vYg== b\r\nEN kZm9vYmE= b\r\nHD kfoo\r\nVA 1 kfoo\r\ny\r\n"
                + "CLIENT_ERROR error decoding key\r\nCLIENT_ERROR error decoding key\r\nVA 1\r\ny\r\n"
                + "HD kZm9v b\r\nNF kZm9v b\r\nNF kZm9v b\r\nCLIENT_ERROR bad command line format\r\n"
        ),
        (
            "md",
            "md a\r\nms a 1\r\nx\r\nmd a k Oo q\r\nmd a k Oo q\r\nms a 1\r\nx\r\nmd a C99\r\nmd a C0\r\n"
                + "md a C2 k\r\nmd a C2 k\r\nmd a x\r\nmd a q q\r\nmd\r\n"
                + "md a Ooooooooooooooooooooooooooooooooo\r\n",
            "NF\r\nHD\r\nNF ka Oo\r\nHD\r\nEX\r\nEX\r\nHD ka\r\nNF ka\r\n"
                + "CLIENT_ERROR invalid or duplicate flag\r\nCLIENT_ERROR invalid or duplicate flag\r\n"
                + "ERROR\r\nCLIENT_ERROR opaque token too long\r\n"
        ),
        (
            "ma",
            "ma n\r\nma n N0 J13 v\r\nma n v\r\nma n v D10 t c k Oo\r\nma n MD D4 v\r\nma n M- v\r\n"
                + "ma n M+ v\r\nma n MI q v\r\nma n MX\r\nma n MXX\r\nma n Dx\r\nma n Jx\r\n"
                + "ma n D18446744073709551615 v\r\nma n MD D100 v t\r\nma n T100 v t\r\nma n C1\r\n"
                + "ma n k Oo C1\r\nma m k Oo q\r\nma o N100 q v t\r\nma o q v\r\nms t 2\r\nhi\r\nma t\r\n"
                + "ms t 0\r\n\r\nma t\r\nma\r\n",
            "NF\r\nVA 2\r\n13\r\nVA 2\r\n14\r\nVA 2 t-1 c3 kn Oo\r\n24\r\nVA 2\r\n20\r\nVA 2\r\n19\r\n"
                + "VA 2\r\n20\r\nCLIENT_ERROR invalid mode for ma M token\r\n"
                + "CLIENT_ERROR invalid or duplicate flag\r\nCLIENT_ERROR invalid or duplicate flag\r\n"
                + "CLIENT_ERROR invalid or duplicate flag\r\nVA 2\r\n20\r\nVA 1 t-1\r\n0\r\nVA 1 t100\r\n1\r\n"
                + "EX\r\nEX kn Oo\r\nNF km Oo\r\nVA 1 t100\r\n0\r\nHD\r\n"
                + "CLIENT_ERROR cannot increment or decrement non-numeric value\r\nHD\r\n"
                + "CLIENT_ERROR cannot increment or decrement non-numeric value\r\nERROR\r\n"
        ),
        (
            "me",
            "me\r\nme a\r\nset a 0 0 3\r\nabc\r\nme a\r\nset a 7 100 3\r\nabc\r\nget a\r\nme a foo\r\n"
                + "me "
                + Key250
                + "k\r\n",
            "CLIENT_ERROR bad command line format\r\nEN\r\nSTORED\r\n"
                + "ME a exp=-1 la=0 cas=1 fetch=no cls=1 size=63\r\nSTORED\r\nVALUE a 7 3\r\nabc\r\nEND\r\n"
                + "ME a exp=-100 la=0 cas=2 fetch=yes cls=1 size=67\r\nCLIENT_ERROR bad command line format\r\n"
        ),
        (
            "mn and what is none",
            "mn\r\nmn foo\r\nmx\r\nm\r\nmg\r\nmnn\r\n",
            "MN\r\nMN\r\nERROR\r\nERROR\r\nERROR\r\nERROR\r\n"
        ),
        (
            "too many words",
            "mg a k k k k k k k k k k k k k k k k k\r\nmg a k k k k k k k k k k k k k k k k k k\r\n"
                + "ms a 1 k k k k k k k k k k k k k k k k k\r\nx\r\n"
                + "md a k k k k k k k k k k k k k k k k k k\r\nma a k k k k k k k k k k k k k k k k k k\r\n"
                + "mg a \u00ff\r\nmg a \u007f\r\nmg a k k\r\nmg a Z\r\nmg "
                + Key250
                + "k\r\n",
            "CLIENT_ERROR duplicate flag\r\nCLIENT_ERROR options flags are too long\r\n"
                + "CLIENT_ERROR options flags too long\r\nERROR\r\nCLIENT_ERROR options flags too long\r\n"
                + "CLIENT_ERROR options flags too long\r\nCLIENT_ERROR duplicate flag\r\n"
                + "CLIENT_ERROR duplicate flag\r\nCLIENT_ERROR duplicate flag\r\nCLIENT_ERROR invalid flag\r\n"
                + "CLIENT_ERROR bad command line format\r\n"
        ),
        (
            "tuning",
            "lru\r\nlru tune 10 20 0.1 2.0\r\nlru tune 50 40 0.1 2.0\r\nlru tune 10 20 0 2.0\r\n"
                + "lru tune x 20 0 2.0\r\nlru mode flat\r\nlru mode x\r\nlru temp_ttl 5\r\nlru temp_ttl x\r\n"
                + "lru_crawler\r\nlru_crawler tocrawl 5\r\nlru_crawler sleep 1000001\r\nlru_crawler sleep x\r\n"
                + "lru_crawler foo\r\nslabs\r\nslabs automove 1\r\nslabs automove 3\r\nslabs automove x\r\n"
                + "slabs automove ratio 0.8\r\nslabs automove ratio x\r\ncache_memlimit\r\ncache_memlimit x\r\n"
                + "cache_memlimit 1\r\ncache_memlimit 2000000000\r\ncache_memlimit 1 noreply\r\nverbosity 0\r\n",
            "ERROR\r\nOK\r\nERROR hot and warm pcts must not exceed 80\r\n"
                + "ERROR hot/warm age factors must be greater than 0\r\nERROR\r\nOK\r\nERROR\r\nOK\r\nERROR\r\n"
                + "ERROR\r\nOK\r\nCLIENT_ERROR sleep must be one second or less\r\n"
                + "CLIENT_ERROR bad command line format\r\nERROR\r\nERROR\r\nOK\r\nERROR\r\n"
                + "CLIENT_ERROR bad command line format\r\nOK\r\nERROR\r\nERROR\r\nERROR\r\n"
                + "MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n"
                + "MEMLIMIT_ADJUST_FAILED input value is megabytes not bytes\r\nOK\r\n"
        ),
        (
            "details",
            "stats detail on\r\nset a:1 0 0 1\r\nx\r\nget a:1 a:3 c\r\ndelete a:1\r\ngat 0 a:1\r\n"
                + "touch a:1 0\r\nstats detail dump\r\nstats detail off\r\nget a:1\r\nstats detail dump\r\n",
            "OK\r\nSTORED\r\nVALUE a:1 0 1\r\nx\r\nEND\r\nDELETED\r\nEND\r\nNOT_FOUND\r\n"
                + "PREFIX a get 3 hit 1 set 1 del 1\r\nEND\r\nOK\r\nEND\r\nPREFIX a get 3 hit 1 set 1 del 1\r\n"
                + "END\r\n"
        ),
        (
            "unknown words with HTTP",
            "gxx HTTP/1.1\r\nsxx HTTP/1.1\r\na HTTP/1.1\r\nstats sizes_disable\r\n",
            "ERROR\r\nERROR\r\nERROR\r\nSTAT sizes_status disabled\r\n"
        ),
    ];
}
