namespace CamCube.Services.KeyValue.Redis.Commands;

/// <summary>Commands of Redis 7.0 that this store has not, and what they are about, so that who tries one is told why.
/// </summary>
internal static class ForeignCommands
{
    /// <summary>Names in small letters, each with what it is about.</summary>
    public static IEnumerable<(string Name, string Kind)> All =>
        from kind in Kinds
        from name in kind.Names.Split(' ')
        select (name, kind.Kind);

    private static readonly (string Kind, string Names)[] Kinds =
    [
        (
            "lists",
            "blmove blmpop blpop brpop brpoplpush lindex linsert llen lmove lmpop lpop lpos lpush lpushx lrange lrem "
                + "lset ltrim rpop rpoplpush rpush rpushx sort sort_ro"
        ),
        (
            "hashes",
            "hdel hexists hget hgetall hincrby hincrbyfloat hkeys hlen hmget hmset hrandfield hscan hset hsetnx "
                + "hstrlen hvals"
        ),
        (
            "sets",
            "sadd scard sdiff sdiffstore sinter sintercard sinterstore sismember smembers smismember smove spop "
                + "srandmember srem sscan sunion sunionstore"
        ),
        (
            "sorted sets",
            "bzmpop bzpopmax bzpopmin zadd zcard zcount zdiff zdiffstore zincrby zinter zintercard zinterstore "
                + "zlexcount zmpop zmscore zpopmax zpopmin zrandmember zrange zrangebylex zrangebyscore zrangestore "
                + "zrank zrem "
                + "zremrangebylex zremrangebyrank zremrangebyscore zrevrange zrevrangebylex zrevrangebyscore "
                + "zrevrank zscan zscore zunion zunionstore"
        ),
        (
            "streams",
            "xack xadd xautoclaim xclaim xdel xgroup xinfo xlen xpending xrange xread xreadgroup xrevrange xsetid "
                + "xtrim"
        ),
        ("places", "geoadd geodist geohash geopos georadius georadius_ro geosearch geosearchstore"),
        ("sketches", "pfadd pfcount pfdebug pfmerge pfselftest"),
        ("bit fields", "bitfield bitfield_ro bitop bitpos"),
        (
            "messages to subscribers",
            "psubscribe publish pubsub punsubscribe spublish ssubscribe subscribe sunsubscribe unsubscribe"
        ),
        ("scripts", "eval evalsha evalsha_ro eval_ro fcall fcall_ro"),
        ("moves between tables, whose servers have nothing in common", "move swapdb"),
        ("dumps: camcube kv and any server's files are the way", "dump migrate restore"),
        (
            "the server itself, which camcube status, kv and service look after",
            "acl asking bgrewriteaof bgsave debug failover lastsave latency memory module monitor psync readonly "
                + "readwrite replconf replicaof save shutdown slaveof slowlog sync"
        ),
    ];
}
