using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Observing;

/// <summary>Logs commands that throw: of each command at once, and then at most now and then, however often it is
/// asked. Any thread.</summary>
internal sealed class CommandFaultLog(ILogger logger, TimeProvider time)
{
    /// <summary>Between two lines about one command.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private readonly Dictionary<(string Service, string Command), (long At, long Untold)> _told = [];

    /// <summary>A command threw.</summary>
    public void Add(Coordinate server, string service, string command, Exception exception)
    {
        long now = time.GetTimestamp(),
            untold;
        lock (_lock)
        {
            bool isKnown = _told.TryGetValue((service, command), out (long At, long Untold) last);
            bool tells = !isKnown || time.GetElapsedTime(last.At, now) >= Pause;
            untold = last.Untold;
            _told[(service, command)] = tells ? (now, 0) : (last.At, untold + 1);
            if (!tells)
            {
                return;
            }
        }

        HostingLog.CommandThrew(logger, exception, command, service, server, untold);
    }
}
