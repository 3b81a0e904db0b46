using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Sessions;

/// <summary>Commands on the connection itself.</summary>
internal static class ConnectionCommands
{
    public static void Ping(SessionCall call)
    {
        if (call.Count > 2)
        {
            call.Reply.Error(Errors.Arity("ping"));
        }
        else if (call.Count == 2)
        {
            call.Reply.Bulk(call[1]);
        }
        else
        {
            call.Reply.Simple("PONG"u8);
        }
    }

    public static void Echo(SessionCall call) => call.Reply.Bulk(call[1]);

    public static void Select(SessionCall call)
    {
        if (!DataCall.TryRead(call[1], out long table))
        {
            call.Reply.Error(Errors.NoInteger);
        }
        else if (table is < 0 or >= RedisContext.MostTables || !call.Context.HasTable((int)table))
        {
            call.Reply.Error(Errors.NoDatabase);
        }
        else
        {
            call.Session.Table = (int)table;
            call.Reply.Ok();
        }
    }

    public static void Authenticate(SessionCall call)
    {
        if (call.Count > 3)
        {
            call.Reply.Error(Errors.Syntax);
            return;
        }

        if (call.Context.Users is null && call.Count == 2)
        {
            call.Reply.Error(
                "ERR AUTH <password> called without any password configured for the default user. "
                    + "Are you sure your configuration is correct?"
            );
            return;
        }

        if (TryAuthenticate(call, call.Count == 3 ? call[1] : "default"u8, call[^1]))
        {
            call.Reply.Ok();
        }
    }

    public static void Hello(SessionCall call)
    {
        int version = call.Session.Version;
        if (call.Count > 1)
        {
            if (!DataCall.TryRead(call[1], out long asked))
            {
                call.Reply.Error("ERR Protocol version is not an integer or out of range");
                return;
            }

            if (asked is not (2 or 3))
            {
                call.Reply.Error("NOPROTO unsupported protocol version");
                return;
            }

            version = (int)asked;
        }

        string? name = null;
        for (int i = 2; i < call.Count; i++)
        {
            if (call.Is(i, "auth"u8) && i + 2 < call.Count)
            {
                if (!TryAuthenticate(call, call[i + 1], call[i + 2]))
                {
                    return;
                }

                i += 2;
            }
            else if (call.Is(i, "setname"u8) && i + 1 < call.Count)
            {
                name = call.TextOf(++i);
                if (!ClientCommands.IsName(name))
                {
                    call.Reply.Error(ClientCommands.BadName);
                    return;
                }
            }
            else
            {
                call.Reply.Error($"ERR Syntax error in HELLO option '{call.TextOf(i)}'");
                return;
            }
        }

        if (call.Session.Rights == UserRights.None)
        {
            call.Reply.Error(
                "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH "
                    + "<user> <pass> option can be used to authenticate the client and select the RESP protocol "
                    + "version at the same time"
            );
            return;
        }

        call.Session.Name = name ?? call.Session.Name;
        (call.Session.Version, call.Reply.Version) = (version, version);
        WriteFacts(call);
    }

    public static void Quit(SessionCall call)
    {
        call.Session.HasQuit = true;
        call.Reply.Ok();
    }

    public static void Reset(SessionCall call)
    {
        call.Session.Reset(call.Context.Budget);
        call.Session.Rights = call.Context.FirstRights;
        call.Session.User = "default";
        call.Reply.Version = 2;
        call.Reply.Simple("RESET"u8);
    }

    private static bool TryAuthenticate(SessionCall call, ReadOnlySpan<byte> user, ReadOnlySpan<byte> password)
    {
        // Without users there is the default one, and any password is right, as with Redis.
        UserRights rights =
            call.Context.Users is { } users ? users.RightsOf(user, password)
            : user.SequenceEqual("default"u8) ? call.Context.FirstRights
            : UserRights.None;
        call.Context.Counters.CountAuthentication(rights != UserRights.None);
        if (rights == UserRights.None)
        {
            call.Reply.Error(Errors.WrongPassword);
            return false;
        }

        call.Session.Rights = rights;
        call.Session.User = System.Text.Encoding.UTF8.GetString(user);
        return true;
    }

    private static void WriteFacts(SessionCall call)
    {
        Reply reply = call.Reply;
        reply.Map(7);
        reply.Bulk("server"u8);
        reply.Bulk("redis"u8);
        reply.Bulk("version"u8);
        reply.Bulk(ProtocolVersion.Text);
        reply.Bulk("proto"u8);
        reply.Integer(call.Session.Version);
        reply.Bulk("id"u8);
        reply.Integer(call.Session.Id);
        reply.Bulk("mode"u8);
        reply.Bulk("standalone"u8);
        reply.Bulk("role"u8);
        reply.Bulk("master"u8);
        reply.Bulk("modules"u8);
        reply.Array(0);
    }
}
