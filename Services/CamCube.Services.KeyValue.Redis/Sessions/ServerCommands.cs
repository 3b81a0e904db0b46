using System.Globalization;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Sessions;

/// <summary>Commands about the server.</summary>
internal static class ServerCommands
{
    public static void Time(SessionCall call)
    {
        long micros = call.Context.NowMicros;
        call.Reply.Array(2);
        call.Reply.Bulk((micros / 1_000_000).ToString(CultureInfo.InvariantCulture));
        call.Reply.Bulk((micros % 1_000_000).ToString(CultureInfo.InvariantCulture));
    }

    public static void Lolwut(SessionCall call) =>
        call.Reply.Verbatim($"A cube of {call.Context.Gate.Shape}. Redis ver. {ProtocolVersion.Text}\n");

    public static void Cluster(SessionCall call) => call.Reply.Error("ERR This instance has cluster support disabled");

    public static void Role(SessionCall call)
    {
        call.Reply.Array(3);
        call.Reply.Bulk("master"u8);
        call.Reply.Integer(0);
        call.Reply.Array(0);
    }

    /// <summary>FUNCTION and SCRIPT: there are none.</summary>
    public static void Function(SessionCall call)
    {
        bool isFunction = call.Is(0, "function"u8);
        switch (call.TextOf(1).ToLowerInvariant())
        {
            case "flush":
                call.Reply.Ok();
                break;
            case "list" when isFunction:
                call.Reply.Array(0);
                break;
            case "exists" when !isFunction && call.Count > 2:
                call.Reply.Array(call.Count - 2);
                for (int i = 2; i < call.Count; i++)
                {
                    call.Reply.Integer(0);
                }

                break;
            default:
                call.Reply.Error("ERR this store has no scripts and no functions");
                break;
        }
    }

    /// <summary>WAIT: what was answered is on all servers that have the key and are there, so it never waits.</summary>
    public static ValueTask WaitAsync(IKeyValueStore store, RedisQuestion question)
    {
        if (!DataCall.TryRead(question.Arguments[1], out _) || !DataCall.TryRead(question.Arguments[2], out long time))
        {
            question.Reply.Error(Errors.NoInteger);
        }
        else if (time < 0)
        {
            question.Reply.Error("ERR timeout is negative");
        }
        else
        {
            question.Reply.Integer(Math.Max(0, store.CopiesOf(question.Call.Table) - 1));
        }

        return ValueTask.CompletedTask;
    }
}
