using System.Globalization;
using System.Text;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Sessions;

/// <summary>CLIENT: the connection by its name, and others.</summary>
internal static class ClientCommands
{
    /// <summary>What is told of a name that is none.</summary>
    public const string BadName = "ERR Client names cannot contain spaces, newlines or special characters.";

    private static readonly string[] Help =
    [
        "CLIENT <subcommand> [<arg> [value] ...]. Subcommands are:",
        "GETNAME, SETNAME <name>, SETINFO LIB-NAME|LIB-VER <text>: what this connection is called.",
        "ID, INFO: its number; what is known of it.",
        "KILL <address> | [ID <number>] [ADDR|LADDR <address>] [USER <name>] [TYPE normal] [SKIPME yes|no]: closes",
        "connections of this server, for who may control.",
        "LIST [ID <number> ...]: connections of this server, for who may control.",
        "PAUSE <milliseconds> [WRITE|ALL], UNPAUSE: whether commands of this server's clients stand still, for who may",
        "control.",
        "REPLY ON|OFF|SKIP: whether it is answered.",
        "NO-EVICT, NO-TOUCH ON|OFF: taken, and nothing comes of it: keys are never evicted.",
    ];

    public static void Run(SessionCall call)
    {
        switch (call.TextOf(1).ToLowerInvariant(), call.Count)
        {
            case ("id", 2):
                call.Reply.Integer(call.Session.Id);
                break;
            case ("getname", 2):
                WriteName(call);
                break;
            case ("setname", 3):
                SetName(call);
                break;
            case ("setinfo", 4):
                SetInfo(call);
                break;
            case ("info", 2):
                call.Reply.Verbatim(Describe(call.Session));
                break;
            case ("list", _):
                List(call);
                break;
            case ("kill", > 2):
                ClientKill.Run(call);
                break;
            case ("pause", 3 or 4):
                PauseCommands.Begin(call);
                break;
            case ("unpause", 2):
                PauseCommands.End(call);
                break;
            case ("reply", 3):
                SetMode(call);
                break;
            case ("no-evict" or "no-touch", 3) when call.Is(2, "on"u8) || call.Is(2, "off"u8):
                call.Reply.Ok();
                break;
            case ("help", 2):
                call.Reply.Array(Help.Length);
                foreach (string line in Help)
                {
                    call.Reply.Simple(Encoding.ASCII.GetBytes(line));
                }

                break;
            case ("tracking" or "caching" or "trackinginfo" or "getredir" or "unblock", _):
                call.Reply.Error($"ERR CLIENT {call.TextOf(1).ToUpperInvariant()} is not there: see docs/redis.md");
                break;
            default:
                call.RefuseWord();
                break;
        }
    }

    /// <summary>Whether a client may be called so.</summary>
    public static bool IsName(string name) =>
        name.Length <= SessionCall.MostName && name.All(static letter => letter is >= '!' and <= '~');

    private static void WriteName(SessionCall call)
    {
        if (call.Session.Name.Length == 0)
        {
            call.Reply.Null();
        }
        else
        {
            call.Reply.Bulk(call.Session.Name);
        }
    }

    private static void SetName(SessionCall call)
    {
        string name = call.TextOf(2);
        if (!IsName(name))
        {
            call.Reply.Error(BadName);
            return;
        }

        call.Session.Name = name;
        call.Reply.Ok();
    }

    private static void SetInfo(SessionCall call)
    {
        string text = call.TextOf(3);
        bool isName = call.Is(2, "lib-name"u8);
        if (!isName && !call.Is(2, "lib-ver"u8))
        {
            call.Reply.Error($"ERR Unrecognized option '{call.TextOf(2)}'");
            return;
        }

        if (!IsName(text))
        {
            call.Reply.Error(
                $"ERR {(isName ? "lib-name" : "lib-ver")} cannot contain spaces, newlines or special characters."
            );
            return;
        }

        if (isName)
        {
            call.Session.Library = text;
        }
        else
        {
            call.Session.LibraryVersion = text;
        }

        call.Reply.Ok();
    }

    private static void SetMode(SessionCall call)
    {
        if (call.Is(2, "on"u8))
        {
            call.Session.Mode = ReplyMode.On;
            call.Reply.Ok();
        }
        else if (call.Is(2, "off"u8))
        {
            call.Session.Mode = ReplyMode.Off;
        }
        else if (call.Is(2, "skip"u8))
        {
            call.Session.Mode = call.Session.Mode == ReplyMode.Off ? ReplyMode.Off : ReplyMode.SkipNext;
        }
        else
        {
            call.Reply.Error(Errors.Syntax);
        }
    }

    /// <summary>Whether the client may see, close and stop others. If not, it is told so.</summary>
    public static bool MayControl(SessionCall call, string what)
    {
        bool may = call.Context.Users is null || call.Session.Rights >= UserRights.Control;
        if (!may)
        {
            call.Reply.Error($"NOPERM this user may not {what} other clients");
        }

        return may;
    }

    /// <summary>What it takes to look at all clients, as <see cref="Reply.Work"/>.</summary>
    public static long LookWork(SessionCall call) => 4_096L * call.Context.Sessions.Count;

    /// <summary>As Redis says it: without what kind of socket it is.</summary>
    public static string AddressOf(string address) =>
        address.StartsWith("tcp", StringComparison.Ordinal) ? address[(address.IndexOf(':') + 1)..] : address;

    private static void List(SessionCall call)
    {
        if (!MayControl(call, "look at"))
        {
            return;
        }

        HashSet<long>? wanted = null;
        if (call.Count > 2)
        {
            wanted = [];
            for (int i = 3; i < call.Count; i++)
            {
                if (!call.Is(2, "id"u8) || !DataCall.TryRead(call[i], out long number))
                {
                    call.Reply.Error(call.Is(2, "id"u8) ? "ERR Invalid client ID" : Errors.Syntax);
                    return;
                }

                wanted.Add(number);
            }

            if (wanted.Count == 0)
            {
                call.Reply.Error(Errors.Syntax);
                return;
            }
        }

        call.Reply.Work += LookWork(call);
        var text = new StringBuilder();
        foreach (RedisSession session in call.Context.Sessions.Values.OrderBy(static one => one.Id))
        {
            if (wanted is null || wanted.Contains(session.Id))
            {
                text.Append(Describe(session));
            }
        }

        call.Reply.Verbatim(text.ToString());
    }

    private static string Describe(RedisSession session)
    {
        ConnectionFacts facts = session.Owner.Describe();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"id={session.Id} addr={AddressOf(facts.Address ?? "")} laddr={AddressOf(facts.ListenAddress ?? "")} "
                + $"fd={facts.Number} name={session.Name} idle={Math.Max(0, facts.IdleSeconds)} db={session.Table} "
                + $"resp={session.Version} user={session.User} lib-name={session.Library} "
                + $"lib-ver={session.LibraryVersion} watch={session.Watched.Count}\n"
        );
    }
}
