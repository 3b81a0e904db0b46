namespace CamCube.Workers;

/// <summary>All programs of this process that run: when it ends by itself, whoever still has one, they end first. Any
/// thread.</summary>
internal static class LivePrograms
{
    private static readonly Lock Gate = new();
    private static readonly HashSet<RunningProgram> Live = [];

    static LivePrograms()
    {
        AppDomain.CurrentDomain.ProcessExit += (_, _) => KillAll();
        AppDomain.CurrentDomain.UnhandledException += (_, _) => KillAll();
    }

    /// <summary>It has begun.</summary>
    public static void Add(RunningProgram program)
    {
        lock (Gate)
        {
            Live.Add(program);
        }
    }

    /// <summary>It has ended.</summary>
    public static void Remove(RunningProgram program)
    {
        lock (Gate)
        {
            Live.Remove(program);
        }
    }

    /// <summary>Kills all, with all that they have started.</summary>
    public static void KillAll()
    {
        RunningProgram[] live;
        lock (Gate)
        {
            live = [.. Live];
        }

        foreach (RunningProgram program in live)
        {
            if (OperatingSystem.IsLinux())
            {
                program.KillAtExit();
            }
        }
    }
}
