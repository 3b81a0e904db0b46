using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Sessions;

/// <summary>CLIENT PAUSE and UNPAUSE: clients of this server stand still, and go on.</summary>
internal static class PauseCommands
{
    public static void Begin(SessionCall call)
    {
        if (!ClientCommands.MayControl(call, "stop"))
        {
            return;
        }

        bool isOfWrites = call.Is(3, "write"u8);
        if (call.Count == 4 && !isOfWrites && !call.Is(3, "all"u8))
        {
            call.Reply.Error("ERR CLIENT PAUSE mode must be WRITE or ALL");
            return;
        }

        int most = call.Context.Options.MaxPause;
        if (!DataCall.TryRead(call[2], out long millis))
        {
            call.Reply.Error("ERR timeout is not an integer or out of range");
        }
        else if (millis < 0)
        {
            call.Reply.Error("ERR timeout is negative");
        }
        else if (millis > most * 1_000L)
        {
            call.Reply.Error($"ERR a pause lasts {most} s at most (setting MaxPause)");
        }
        else
        {
            call.Context.Pause.Begin(isOfWrites ? PauseKind.Writes : PauseKind.All, TimeSpan.FromMilliseconds(millis));
            call.Reply.Ok();
        }
    }

    public static void End(SessionCall call)
    {
        if (ClientCommands.MayControl(call, "stop"))
        {
            call.Context.Pause.End();
            call.Reply.Ok();
        }
    }
}
