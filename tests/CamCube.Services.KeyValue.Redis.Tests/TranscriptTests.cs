namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>Commands and their answers, over sockets, on a store that runs.</summary>
public sealed class TranscriptTests
{
    // A command a line, its answer behind "=>"; what is not there is not looked at.
    public static TheoryData<string> Transcripts =>
        [
            """
                SET k v => +OK
                GET k => "v"
                get K => nil
                STRLEN k => :1
                STRLEN none => :0
                EXISTS k none k => :2
                TOUCH k => :1
                TYPE k => +string
                TYPE none => +none
                OBJECT ENCODING k => "embstr"
                DEL k none => :1
                UNLINK k => :0
                GET k => nil
                """,
            """
                SET k 1 NX => +OK
                SET k 2 NX => nil
                SET k 2 XX => +OK
                SET none 2 XX => nil
                SET k 3 GET => "2"
                SET none 3 GET => nil
                SET none 4 NX GET => "3"
                GET none => "3"
                SET k 5 XX GET => "3"
                SET k 6 NX XX => -ERR syntax error
                SET k 6 EX => -ERR syntax error
                SET k 6 EX 0 => -ERR invalid expire time in 'set' command
                SET k 6 EX 10 PX 10 => -ERR syntax error
                SET k 6 EX ten => -ERR value is not an integer or out of range
                SET k 6 EX 9223372036854775807 => -ERR invalid expire time in 'set' command
                SET k 6 EX 100 => +OK
                TTL k => :100
                SET k 7 KEEPTTL => +OK
                TTL k => :100
                SET k 8 => +OK
                TTL k => :-1
                SET k 9 PXAT 1 => +OK
                GET k => nil
                SETNX k 1 => :1
                SETNX k 2 => :0
                SETEX k 50 v => +OK
                TTL k => :50
                SETEX k 0 v => -ERR invalid expire time in 'setex' command
                PSETEX k -1 v => -ERR invalid expire time in 'psetex' command
                GETSET k w => "v"
                TTL k => :-1
                GETSET other w => nil
                GETDEL k => "w"
                GETDEL k => nil
                """,
            """
                INCR n => :1
                INCRBY n 41 => :42
                DECR n => :41
                DECRBY n 41 => :0
                INCRBY n 9223372036854775807 => :9223372036854775807
                INCR n => -ERR increment or decrement would overflow
                DECRBY n -9223372036854775808 => -ERR decrement would overflow
                INCRBY n x => -ERR value is not an integer or out of range
                INCRBY n 01 => -ERR value is not an integer or out of range
                SET n text => +OK
                INCR n => -ERR value is not an integer or out of range
                INCRBYFLOAT n 1 => -ERR value is not a valid float
                SET f 10.5 => +OK
                INCRBYFLOAT f 0.1 => "10.6"
                INCRBYFLOAT f -5 => "5.6"
                INCRBYFLOAT f 5.0e3 => "5005.6"
                INCRBYFLOAT f inf => -ERR increment would produce NaN or Infinity
                INCRBYFLOAT f nan => -ERR value is not a valid float
                INCRBYFLOAT g 3 => "3"
                INCRBYFLOAT g -3 => "0"
                """,
            """
                APPEND a one => :3
                APPEND a two => :6
                GETRANGE a 0 2 => "one"
                GETRANGE a -3 -1 => "two"
                GETRANGE a 0 -1 => "onetwo"
                GETRANGE a 5 1 => ""
                GETRANGE a -1 -5 => ""
                GETRANGE a 4 9223372036854775807 => "wo"
                GETRANGE none 0 -1 => ""
                SUBSTR a 1 1 => "n"
                SETRANGE a 6 !? => :8
                GET a => "onetwo!?"
                SETRANGE a -1 x => -ERR offset is out of range
                SETRANGE a 67108864 x => -ERR string exceeds maximum allowed size (proto-max-bulk-len)
                SETBIT b 7 1 => :0
                SETBIT b 7 0 => :1
                SETBIT b 100 1 => :0
                STRLEN b => :13
                GETBIT b 100 => :1
                GETBIT b 1000000 => :0
                SETBIT b 1 2 => -ERR bit is not an integer or out of range
                SETBIT b -1 1 => -ERR bit offset is not an integer or out of range
                SETBIT b 4294967296 1 => -ERR bit offset is not an integer or out of range
                SET c foobar => +OK
                BITCOUNT c => :26
                BITCOUNT c 0 0 => :4
                BITCOUNT c 1 1 => :6
                BITCOUNT c 5 30 BIT => :17
                BITCOUNT c 1 => -ERR syntax error
                BITCOUNT c -9223372036854775808 9223372036854775807 BIT => :26
                BITCOUNT none => :0
                """,
            """
                SET k v => +OK
                EXPIRE k 100 => :1
                TTL k => :100
                EXPIRE k 200 NX => :0
                EXPIRE k 50 GT => :0
                EXPIRE k 200 GT => :1
                EXPIRE k 100 LT => :1
                EXPIRE k 300 XX => :1
                EXPIRE k 1 NX XX => -ERR NX and XX, GT or LT options at the same time are not compatible
                EXPIRE k 1 GT LT => -ERR GT and LT options at the same time are not compatible
                EXPIRE k 1 ZZ => -ERR Unsupported option ZZ
                EXPIRE k 9223372036854775807 => -ERR invalid expire time in 'expire' command
                EXPIRE none 1 => :0
                PERSIST k => :1
                PERSIST k => :0
                TTL k => :-1
                TTL none => :-2
                EXPIRE k 5 GT => :0
                EXPIRE k 5 LT => :1
                GETEX k PERSIST => "v"
                TTL k => :-1
                GETEX k EX 70 => "v"
                TTL k => :70
                GETEX k => "v"
                GETEX k EX => -ERR syntax error
                EXPIREAT k 1 => :1
                GET k => nil
                SET k v EX 100 => +OK
                APPEND k w => :2
                TTL k => :100
                INCR n => :1
                EXPIRE n 100 => :1
                INCR n => :2
                TTL n => :100
                """,
            """
                MSET {t}a 1 {t}b 2 => +OK
                MGET {t}a {t}b {t}c other => ["1" "2" nil nil]
                MSET a 1 b 2 => -CROSSSLOT Keys in request don't hash to the same slot
                MSET a 1 b => -ERR wrong number of arguments for 'mset' command
                MSET {t}a 3 {t}a 4 => +OK
                GET {t}a => "4"
                MSETNX {t}c 3 {t}a 4 => :0
                MSETNX {t}c 3 {t}d 4 => :1
                EXISTS {t}a {t}b {t}c {t}d => :4
                RENAME {t}a {t}z => +OK
                GET {t}a => nil
                GET {t}z => "4"
                RENAME none other => -CROSSSLOT Keys in request don't hash to the same slot
                RENAME {t}none {t}x => -ERR no such key
                RENAMENX {t}z {t}b => :0
                RENAMENX {t}z {t}y => :1
                RENAME {t}y {t}y => +OK
                COPY {t}y {t}b => :0
                COPY {t}y {t}b REPLACE => :1
                COPY {t}y {t}y => -ERR source and destination objects are the same
                GET {t}b => "4"
                MSET {l}1 ohmytext {l}2 mynewtext => +OK
                LCS {l}1 {l}2 => "mytext"
                LCS {l}1 {l}2 LEN => :6
                LCS {l}1 {l}2 IDX MINMATCHLEN 4 WITHMATCHLEN => ["matches" [[[:4 :7] [:5 :8] :4]] "len" :6]
                """,
            """
                PING => +PONG
                PING hello => "hello"
                ECHO x => "x"
                SELECT 9 => +OK
                SET k nine => +OK
                SELECT 0 => +OK
                GET k => nil
                SELECT 3 => -ERR DB index is out of range
                SELECT x => -ERR value is not an integer or out of range
                CLIENT GETNAME => nil
                CLIENT SETNAME it => +OK
                CLIENT GETNAME => "it"
                CLIENT SETINFO LIB-NAME x => +OK
                CLIENT NO-EVICT on => +OK
                CLUSTER INFO => -ERR This instance has cluster support disabled
                WAIT 1 0 => :0
                COMMAND COUNT => *
                COMMAND INFO get nosuch => [["get" :2 [+readonly +fast] :1 :1 :1 [+@string] [] [] []] nil array]
                COMMAND GETKEYS mset a 1 b 2 => ["a" "b"]
                CONFIG GET save => ["save" ""]
                CONFIG SET save 1 => -ERR settings are the host's*
                LPUSH l 1 => -ERR unknown command 'LPUSH': it is for lists; this store has strings (docs/redis.md)
                NOSUCH a b => -ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' 
                GET => -ERR wrong number of arguments for 'get' command
                RESET => +RESET
                CLIENT GETNAME => nil
                """,
            """
                MULTI => +OK
                SET {t}a 1 => +QUEUED
                INCR {t}a => +QUEUED
                GET {t}a => +QUEUED
                GET {t}none => +QUEUED
                APPEND {t}b x => +QUEUED
                INCR {t}b => +QUEUED
                PING => +QUEUED
                EXEC => [+OK :2 "2" nil :1 -ERR value is not an integer or out of range +PONG]
                GET {t}b => "x"
                EXEC => -ERR EXEC without MULTI
                DISCARD => -ERR DISCARD without MULTI
                MULTI => +OK
                MULTI => -ERR MULTI calls can not be nested
                WATCH a => -ERR WATCH inside MULTI is not allowed
                EXEC => []
                MULTI => +OK
                NOSUCH => -ERR unknown command 'NOSUCH', with args beginning with: 
                SET {t}a 9 => +QUEUED
                EXEC => -EXECABORT Transaction discarded because of previous errors.
                GET {t}a => "2"
                MULTI => +OK
                SET a 1 => +QUEUED
                SET b 1 => +QUEUED
                EXEC => -CROSSSLOT Keys in request don't hash to the same slot
                MULTI => +OK
                KEYS * => -ERR KEYS asks all servers, and cannot be part of a transaction
                DISCARD => +OK
                MULTI => +OK
                SET {t}a 5 EX 100 => +QUEUED
                TTL {t}a => +QUEUED
                RENAME {t}a {t}c => +QUEUED
                DEL {t}a {t}c => +QUEUED
                EXISTS {t}a {t}c => +QUEUED
                EXEC => [+OK :100 +OK :1 :0]
                WATCH {t}b => +OK
                SET {t}b mine => +OK
                MULTI => +OK
                GET {t}b => +QUEUED
                EXEC => nil array
                WATCH {t}none {t}b => +OK
                MULTI => +OK
                GET {t}b => +QUEUED
                EXEC => ["mine"]
                WATCH {t}b => +OK
                UNWATCH => +OK
                SET {t}b theirs => +OK
                MULTI => +OK
                EXEC => []
                """,
            """
                HELLO 4 => -NOPROTO unsupported protocol version
                HELLO 3 SETNAME x y => -ERR Syntax error in HELLO option 'y'
                GET none => nil
                HELLO 3 => *
                GET none => null
                MGET none => [null]
                COMMAND DOCS get => %["get" %["summary" "Gives a key's value." "since" "1.0.0" "group" "string"]]
                MULTI => +OK
                EXEC => []
                AUTH x => -ERR AUTH <password> called without any password*
                AUTH default x => +OK
                AUTH who x => -WRONGPASS invalid username-password pair or user is disabled.
                """,
            """
                DBSIZE => :0
                RANDOMKEY => nil
                MSET {t}1 x {t}2 x {u}3 x => -CROSSSLOT Keys in request don't hash to the same slot
                SET a:1 x => +OK
                SET a:2 x => +OK
                SET b:1 x => +OK
                DBSIZE => :3
                KEYS b* => ["b:1"]
                KEYS ?:2 => ["a:2"]
                SCAN 0 MATCH b* COUNT 100 => ["0" ["b:1"]]
                SCAN 0 COUNT 100 TYPE list => ["0" []]
                SCAN 0 COUNT 0 => -ERR syntax error
                SCAN x => -ERR invalid cursor
                SCAN 12345 => -ERR invalid cursor: it is another server's, another table's, or too old
                SELECT 9 => +OK
                SET a:1 x => +OK
                FLUSHDB => +OK
                DBSIZE => :0
                SELECT 0 => +OK
                DBSIZE => :3
                FLUSHALL ASYNC => +OK
                DBSIZE => :0
                """,
        ];

    [Theory]
    [MemberData(nameof(Transcripts))]
    public async Task Commands_are_answered_as_by_redis(string transcript)
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        Assert.Equal(OperatingSystem.IsLinux(), bed.FrontEnds[0].IsInLoop);
        using RedisClient client = await bed.ConnectAsync();
        foreach ((string command, string answer) in Read(transcript))
        {
            Assert.Equal($"{command} => {answer}", $"{command} => {Shown(await client.AskAsync(command), answer)}");
        }
    }

    /// <summary>All of it in one go: what a command must see of those before it, it sees.</summary>
    [Theory]
    [MemberData(nameof(Transcripts))]
    public Task They_are_as_well_in_a_pipeline_at_another_server(string transcript) => PipelineAsync(transcript, false);

    [Theory]
    [MemberData(nameof(Transcripts))]
    public Task And_from_threads_of_the_pool(string transcript) => PipelineAsync(transcript, true);

    private static async Task PipelineAsync(string transcript, bool isPooled)
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(2, 2, 1), copies: 3, isPooled: isPooled);
        Assert.Equal(!isPooled && OperatingSystem.IsLinux(), bed.FrontEnds[0].IsInLoop);
        using RedisClient client = await bed.ConnectAsync(3);
        (string Command, string Answer)[] lines = [.. Read(transcript).Where(l => l.Command != "WAIT 1 0")];
        await client.SendAsync(lines.SelectMany(line => RedisClient.Encode(line.Command.Split(' '))).ToArray());
        foreach ((string command, string answer) in lines)
        {
            Assert.Equal($"{command} => {answer}", $"{command} => {Shown(await client.ReadAsync(), answer)}");
        }
    }

    // What ends with a star is compared up to it.
    private static string Shown(string answer, string expected) =>
        expected.EndsWith('*') && answer.StartsWith(expected[..^1], StringComparison.Ordinal) ? expected : answer;

    private static IEnumerable<(string Command, string Answer)> Read(string transcript) =>
        from line in transcript.Split('\n')
        let parts = line.TrimEnd('\r').Split(" => ")
        select (parts[0], parts[1]);
}
