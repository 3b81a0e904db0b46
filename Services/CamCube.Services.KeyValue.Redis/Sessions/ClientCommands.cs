using System.Globalization;
using System.Text;
using CamCube.FrontEnds.Connections;
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
        "LIST: all connections of this server, for who may control.",
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
                call.Reply.Verbatim(Describe(call.Session, call.Session.Id, "", -1));
                break;
            case ("list", _):
                List(call);
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
            case (
                "tracking"
                    or "caching"
                    or "trackinginfo"
                    or "getredir"
                    or "kill"
                    or "pause"
                    or "unpause"
                    or "unblock",
                _
            ):
                call.Reply.Error($"ERR CLIENT {call.TextOf(1).ToUpperInvariant()} is not there: see docs/redis.md");
                break;
            default:
                call.RefuseWord();
                break;
        }
    }

    /// <summary>Whether a client may be called so.</summary>
    public static bool IsName(string name) => name.All(static letter => letter is >= '!' and <= '~');

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

    private static void List(SessionCall call)
    {
        if (call.Context.Users is not null && call.Session.Rights < UserRights.Control)
        {
            call.Reply.Error("NOPERM this user may not look at other clients");
            return;
        }

        var text = new StringBuilder();
        foreach (ConnectionFacts facts in call.Context.Connections?.Describe() ?? [])
        {
            if (facts.ListenAddress.Length > 0)
            {
                text.Append(Describe(null, facts.Number, facts.Address, facts.IdleSeconds));
            }
        }

        call.Reply.Verbatim(text.ToString());
    }

    private static string Describe(RedisSession? session, long number, string address, long idle) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"id={number} addr={address} name={session?.Name} idle={Math.Max(0, idle)} db={session?.Table} "
                + $"resp={session?.Version} user={session?.User} lib-name={session?.Library} "
                + $"lib-ver={session?.LibraryVersion} watch={session?.Watched.Count}\n"
        );
}
