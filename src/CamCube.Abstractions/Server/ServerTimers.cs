namespace CamCube;

/// <summary>Timers for what services do often.</summary>
public static class ServerTimers
{
    /// <summary>
    /// Calls this again and again: first after one period, then on a grid of periods that does not drift. What came due
    /// while the server stood still is made up for by one call. Ends with the service, or by
    /// <see cref="ServerTimer.Cancel"/> of what it returns, which may be armed again by hand. An exception is a fault
    /// of the service. Loop only.
    /// </summary>
    /// <param name="server">The service's server.</param>
    /// <param name="period">More than zero.</param>
    /// <param name="act">What is to be done.</param>
    /// <exception cref="ArgumentOutOfRangeException">A period of zero or less.</exception>
    public static ServerTimer Every(this IServer server, TimeSpan period, Action act)
    {
        ArgumentNullException.ThrowIfNull(server);
        ArgumentNullException.ThrowIfNull(act);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(period, TimeSpan.Zero);
        long nanos = Math.Max(1, (long)Math.Min(period.TotalNanoseconds, long.MaxValue / 4));
        long due = server.NowNanos + nanos;
        ServerTimer? timer = null;
        timer = server.CreateTimer(() =>
        {
            // Armed first, so that the call may cancel it.
            long missed = (server.NowNanos - due) / nanos;
            due += nanos * (Math.Max(0, missed) + 1);
            timer!.ArmAt(due);
            act();
        });
        timer.ArmAt(due);
        return timer;
    }
}
