using CamCube.Services.KeyValue.Redis.Direct;
using CamCube.Services.KeyValue.Redis.Sessions;
using CamCube.Services.KeyValue.Redis.Work;
using static CamCube.Services.KeyValue.Redis.Work.CommandFlags;

namespace CamCube.Services.KeyValue.Redis.Commands;

/// <summary>Rows of commands on connections and servers, and on all keys. Immutable.</summary>
internal static class SessionRows
{
    /// <summary>All of them.</summary>
    public static IEnumerable<RedisCommand> All() => [.. Sessions(), .. Whole()];

    private static IEnumerable<RedisCommand> Sessions()
    {
        const CommandFlags Plain = Fast;
        RedisCommand[] connection =
        [
            new("ping", -1, Plain) { Session = ConnectionCommands.Ping, Summary = "Answers PONG, or what it is told." },
            new("echo", 2, Plain) { Session = ConnectionCommands.Echo, Summary = "Answers what it is told." },
            new("select", 2, Plain)
            {
                Session = ConnectionCommands.Select,
                Summary = "Chooses the table of what follows.",
            },
            new("auth", -2, Plain | Stranger)
            {
                Session = ConnectionCommands.Authenticate,
                Summary = "Says who the client is.",
            },
            new("hello", -1, Plain | Stranger)
            {
                Session = ConnectionCommands.Hello,
                Summary = "Chooses the protocol's version.",
                Since = "6.0.0",
            },
            new("quit", -1, Plain | Stranger | Unqueued | Unpaused)
            {
                Session = ConnectionCommands.Quit,
                Summary = "Ends the connection.",
            },
            new("reset", 1, Plain | Stranger | Unqueued)
            {
                Session = ConnectionCommands.Reset,
                Summary = "Makes the connection as new.",
                Since = "6.2.0",
            },
            new("client", -2, Plain | Unpaused)
            {
                Session = ClientCommands.Run,
                Summary = "Names the connection, and tells about it and others.",
                Since = "2.4.0",
            },
        ];
        RedisCommand[] transactions =
        [
            new("multi", 1, Plain | Unqueued)
            {
                Session = TransactionCommands.Begin,
                Summary = "Begins a transaction.",
                Since = "1.2.0",
            },
            new("exec", 1, Unqueued)
            {
                Store = TransactionCommands.ExecuteAsync,
                EndsTransaction = true,
                Summary = "Does all of a transaction, or nothing.",
                Since = "1.2.0",
            },
            new("discard", 1, Plain | Unqueued)
            {
                Session = TransactionCommands.Discard,
                Summary = "Forgets a transaction.",
                Since = "2.0.0",
            },
            new("watch", -2, Plain | Unqueued)
            {
                FirstKey = 1,
                LastKey = -1,
                Store = TransactionCommands.WatchAsync,
                Summary = "Ends the next transaction if one of these keys is changed before.",
                Since = "2.2.0",
            },
            new("unwatch", 1, Plain)
            {
                Session = TransactionCommands.Unwatch,
                Summary = "Watches no keys any more.",
                Since = "2.2.0",
            },
        ];
        RedisCommand[] server =
        [
            new("command", -1, None)
            {
                Session = CommandCommands.Run,
                Summary = "Tells about commands.",
                Since = "2.8.13",
            },
            new("config", -2, None)
            {
                Session = ConfigCommands.Run,
                Summary = "Tells settings.",
                Since = "2.0.0",
            },
            new("info", -1, None) { Session = InfoCommands.Run, Summary = "Tells about this server." },
            new("time", 1, Plain)
            {
                Session = ServerCommands.Time,
                Summary = "Tells the server's time.",
                Since = "2.6.0",
            },
            new("lolwut", -1, Plain)
            {
                Session = ServerCommands.Lolwut,
                Summary = "Tells the version.",
                Since = "5.0.0",
            },
            new("cluster", -2, None)
            {
                Session = ServerCommands.Cluster,
                Summary = "Refused: any server takes any key.",
                Since = "3.0.0",
            },
            new("role", 1, Plain)
            {
                Session = ServerCommands.Role,
                Summary = "Says that any server takes changes.",
                Since = "2.8.12",
            },
            new("function", -2, None)
            {
                Session = ServerCommands.Function,
                Summary = "There are none, so there is nothing to list or to flush.",
                Since = "7.0.0",
            },
            new("script", -2, None)
            {
                Session = ServerCommands.Function,
                Summary = "There are none, so there is nothing to list or to flush.",
                Since = "2.6.0",
            },
        ];
        return
        [
            .. connection.Select(static c => c with { Group = "connection" }),
            .. transactions.Select(static c => c with { Group = "transactions" }),
            .. server.Select(static c => c with { Group = "server" }),
        ];
    }

    private static IEnumerable<RedisCommand> Whole() =>
        [
            new("scan", -2, Read | NoMulti)
            {
                Store = ScanCommands.ScanAsync,
                Group = "generic",
                Summary = "Lists some keys of a table, and where the list goes on.",
                Since = "2.8.0",
            },
            new("keys", 2, Read | NoMulti)
            {
                Store = ScanCommands.KeysAsync,
                Group = "generic",
                Summary = "Lists all keys that fit a pattern.",
            },
            new("randomkey", 1, Read | NoMulti)
            {
                Store = ScanCommands.RandomAsync,
                Group = "generic",
                Summary = "Gives some key.",
            },
            new("dbsize", 1, Read | NoMulti)
            {
                Store = ScanCommands.CountAsync,
                Group = "server",
                Summary = "Counts the keys of a table.",
            },
            new("flushdb", -1, Write | Control | NoMulti)
            {
                Store = ScanCommands.FlushAsync,
                Group = "server",
                Summary = "Deletes all keys of a table.",
            },
            new("flushall", -1, Write | Control | NoMulti)
            {
                Store = ScanCommands.FlushAsync,
                Group = "server",
                Summary = "Deletes all keys of all tables.",
            },
            new("wait", 3, NoMulti)
            {
                Store = ServerCommands.WaitAsync,
                Group = "generic",
                Summary = "Says how many other servers have what was answered.",
                Since = "3.0.0",
            },
        ];
}
