using System.Collections;
using System.Globalization;
using CamCube.Hosting.Observing;

namespace CamCube.Hosting.Lifetime;

/// <summary>
/// Feeds the watchdog of systemd (<c>WatchdogSec=</c>), but only as long as the loop of the servers turns: a process
/// that answers and whose server hangs is ended and started again, like one that hangs as a whole.
/// </summary>
internal sealed class SystemdWatchdog(TimeSpan? period, LoopWatch watch, SystemdNews systemd, TimeProvider time)
    : IAsyncDisposable
{
    private readonly CancellationTokenSource _end = new();
    private Task _feeding = Task.CompletedTask;

    /// <summary>How often it has to be fed by what systemd says in the environment: twice as often as it demands. Null:
    /// it demands nothing of this process.</summary>
    public static TimeSpan? PeriodOf(IDictionary environment)
    {
        bool isOther =
            environment["WATCHDOG_PID"] is string process
            && process != Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        return
            !isOther
            && environment["WATCHDOG_USEC"] is string text
            && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long micros)
            && micros is > 0 and < 1L << 40
            ? TimeSpan.FromMicroseconds(micros / 2.0)
            : null;
    }

    /// <summary>Everything runs: from now on it is fed.</summary>
    public void Start()
    {
        if (period is { } each)
        {
            _feeding = FeedAsync(each);
        }
    }

    /// <summary>Ends the feeding: the host stops, and systemd has a time limit of its own for that.</summary>
    public async Task StopAsync()
    {
        await _end.CancelAsync();
        await _feeding;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _end.Dispose();
    }

    private async Task FeedAsync(TimeSpan each)
    {
        using PeriodicTimer timer = new(each, time);
        try
        {
            do
            {
                if (watch.IsWell)
                {
                    systemd.Alive();
                }
            } while (await timer.WaitForNextTickAsync(_end.Token));
        }
        catch (OperationCanceledException)
        {
            // The host stops.
        }
    }
}
