using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Engine;

/// <summary>The loop as one instance of a service sees it.</summary>
internal sealed class ServiceLoop(ServiceView view) : IServerLoop
{
    private readonly List<ServiceSeat> _seats = [];

    public long LastPauseNanos
    {
        get
        {
            view.Runtime.NotePause();
            return view.Runtime.LastPause.Nanos;
        }
    }

    public long ReadClock() => view.OnLoop().ReadClock();

    public long PauseEndedNanos
    {
        get
        {
            view.Runtime.NotePause();
            long ended = view.Runtime.LastPause.EndedAt;
            return ended == long.MinValue || view.Runtime.Clock is not { } clock ? ended : clock.Read(ended);
        }
    }

    public TimeSpan TimerGrain =>
        TimeSpan.FromTicks(view.Runtime.Context.TimerGrainNanos / TimeSpan.NanosecondsPerTick);

    public void Post(Action<object?> work, object? state) => view.OnLoop("Loop.Post").PostControl(view, work, state);

    public void Run(Func<ValueTask> work) => view.OnLoop("Loop.Run").RunControl(view, CallbackKind.Work, work);

    public ILoopSeat? TryJoin(IServerAgent agent)
    {
        ArgumentNullException.ThrowIfNull(agent);
        if (view.IsStopped || !OperatingSystem.IsLinux() || view.Runtime.Context.Inbox.Agents is not { } agents)
        {
            return null;
        }

        ServiceSeat seat = new(view, agents, agent);
        _seats.Add(seat);
        return seat;
    }

    /// <summary>The instance ends, and its agents with it.</summary>
    public void Stop()
    {
        if (OperatingSystem.IsLinux())
        {
            foreach (ServiceSeat seat in _seats)
            {
                seat.End();
            }

            _seats.Clear();
        }
    }
}
