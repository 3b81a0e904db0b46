using CamCube.FrontEnds.Protocols;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Sessions;

/// <summary>CLIENT KILL: closes connections of this server by what is known of them. What they had asked for goes on,
/// and is answered to nobody; the one that asks is answered first.</summary>
internal static class ClientKill
{
    public static void Run(SessionCall call)
    {
        if (!ClientCommands.MayControl(call, "close"))
        {
            return;
        }

        // The old form: exactly one, by its address, and be it one's own.
        bool isOld = call.Count == 3;
        if (!TryRead(call, isOld, out Terms terms, out string error))
        {
            call.Reply.Error(error);
            return;
        }

        call.Reply.Work += ClientCommands.LookWork(call);
        int closed = 0;
        foreach (RedisSession session in call.Context.Sessions.Values.OrderBy(static one => one.Id))
        {
            if (!terms.Fits(session) || (terms.SkipsOwn && session == call.Session))
            {
                continue;
            }

            if (session == call.Session)
            {
                session.HasQuit = true;
                closed++;
            }
            else if (call.Context.Sessions.TryRemove(session.Id, out _))
            {
                // Off the list now, though its memory may stay for a while: nobody closes it twice.
                session.Owner.Abort();
                closed++;
            }
        }

        if (!isOld)
        {
            call.Reply.Integer(closed);
        }
        else if (closed > 0)
        {
            call.Reply.Ok();
        }
        else
        {
            call.Reply.Error("ERR No such client");
        }
    }

    private static bool TryRead(SessionCall call, bool isOld, out Terms terms, out string error)
    {
        (terms, error) = (new Terms(), Errors.Syntax);
        if (isOld)
        {
            (terms.Address, terms.SkipsOwn) = (call.TextOf(2), false);
            return true;
        }

        if (call.Count % 2 != 0)
        {
            return false;
        }

        for (int i = 2; i < call.Count; i += 2)
        {
            string value = call.TextOf(i + 1);
            switch (call.TextOf(i).ToLowerInvariant())
            {
                case "id":
                    if (!DataCall.TryRead(call[i + 1], out long id) || id < 1)
                    {
                        error = "ERR client-id should be greater than 0";
                        return false;
                    }

                    terms.Id = id;
                    break;
                case "addr":
                    terms.Address = value;
                    break;
                case "laddr":
                    terms.ListenAddress = value;
                    break;
                case "user":
                    terms.User = value;
                    break;
                case "type":
                    string type = value.ToLowerInvariant();
                    if (type is not ("normal" or "master" or "replica" or "slave" or "pubsub"))
                    {
                        error = $"ERR Unknown client type '{value}'";
                        return false;
                    }

                    // There are no others here.
                    terms.IsNormal = type == "normal";
                    break;
                case "skipme" when call.Is(i + 1, "yes"u8) || call.Is(i + 1, "no"u8):
                    terms.SkipsOwn = call.Is(i + 1, "yes"u8);
                    break;
                default:
                    return false;
            }
        }

        return true;
    }

    private sealed class Terms
    {
        public long Id { get; set; }

        public string? Address { get; set; }

        public string? ListenAddress { get; set; }

        public string? User { get; set; }

        public bool IsNormal { get; set; } = true;

        public bool SkipsOwn { get; set; } = true;

        public bool Fits(RedisSession session)
        {
            ConnectionFacts facts = session.Owner.Describe();
            return IsNormal
                && (Id == 0 || Id == session.Id)
                && (Address is null || Address == ClientCommands.AddressOf(facts.Address ?? ""))
                && (ListenAddress is null || ListenAddress == ClientCommands.AddressOf(facts.ListenAddress ?? ""))
                && (User is null || User == session.User);
        }
    }
}
