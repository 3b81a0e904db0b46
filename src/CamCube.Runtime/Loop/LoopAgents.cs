using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Runtime.Loop;

/// <summary>
/// The agents of one loop: one epoll for all their descriptors, on which the loop may also sleep. Loop only, except
/// where said otherwise.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LoopAgents : IDisposable
{
    private const int MostEvents = 128;
    private readonly Poller _poller = new(MostEvents);
    private readonly Stack<int> _free = new();
    private readonly List<LoopSeat> _seats = [];
    private readonly List<LoopSeat> _due = [];
    private Watched[] _watched = new Watched[MostEvents];
    private int _used;
    private bool _disposed;

    /// <summary>Readable when something happened that was not looked at.</summary>
    public SafeHandle Handle => _poller.Handle;

    /// <summary>Whether <see cref="TurnAll"/> has something to do because of an event.</summary>
    public bool HasDue => _due.Count > 0;

    /// <summary>Whose turn it is now; null: nobody's. Any thread may look.</summary>
    public LoopSeat? Turning { get; private set; }

    /// <summary>Turns so far. Any thread may look.</summary>
    public long Turns { get; private set; }

    /// <summary>When the next turn is due that no event asks for.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>Makes a signal end the sleep, without an agent. Before the loop starts.</summary>
    public void WatchWake(SafeHandle signal) =>
        Add(signal, PollEvents.Readable | PollEvents.EdgeTriggered, null, signal);

    /// <summary>A seat takes part from now on.</summary>
    public void Enter(LoopSeat seat) => _seats.Add(seat);

    public void Leave(LoopSeat seat)
    {
        // Whom it leaves among the due ones finds out there: others are being turned by their places in that list.
        _seats.Remove(seat);
        FindDeadline();
    }

    /// <summary>A seat leaves that has not forgotten everything: nothing of what it watched is told any more.</summary>
    public void Abandon(LoopSeat seat)
    {
        for (int number = 0; number < _used; number++)
        {
            if (_watched[number].Seat == seat)
            {
                try
                {
                    Forget(_watched[number].Descriptor!, number);
                }
                catch (Exception e) when (e is IOException or ObjectDisposedException)
                {
                    // It is closed, and the system has forgotten it.
                    _watched[number] = default;
                    _free.Push(number);
                }
            }
        }

        Leave(seat);
    }

    public int Watch(LoopSeat seat, SafeHandle descriptor, LoopEvents events, object source) =>
        Add(descriptor, (PollEvents)events, seat, source);

    public void Change(SafeHandle descriptor, int number, LoopEvents events) =>
        _poller.Change(descriptor, number, (PollEvents)events);

    public void Forget(SafeHandle descriptor, int number)
    {
        if (!_disposed)
        {
            _poller.Forget(descriptor, number);
            _watched[number] = default;
            _free.Push(number);
        }
    }

    /// <summary>Looks what happened, at most so long: 0 looks only.</summary>
    public void Wait(long nanos)
    {
        int count = _poller.Wait(nanos);
        for (int i = 0; i < count; i++)
        {
            if (_poller.TryGet(i, out int key, out PollEvents seen) && _watched[key].Seat is { } seat)
            {
                seat.Note(new LoopEvent(_watched[key].Source, (LoopEvents)seen));
                Ask(seat);
            }
        }
    }

    /// <summary>A seat has a turn when the next ones are had.</summary>
    public void Ask(LoopSeat seat)
    {
        if (!seat.IsDue)
        {
            seat.IsDue = true;
            _due.Add(seat);
        }
    }

    /// <summary>The turns of all whom something happened to, or whose deadline has come. Returns how many.</summary>
    public int TurnAll(long now)
    {
        if (Deadline <= now)
        {
            foreach (LoopSeat seat in _seats)
            {
                if (seat.Deadline <= now)
                {
                    Ask(seat);
                }
            }
        }

        int turns = _due.Count;
        for (int i = 0; i < turns && i < _due.Count; i++)
        {
            _due[i].IsDue = false;
            Turns++;
            Turning = _due[i];
            _due[i].Turn();
        }

        Turning = null;

        // A turn may have given up its own seat.
        _due.Clear();
        return turns;
    }

    /// <summary>A seat's deadline has changed.</summary>
    public void FindDeadline()
    {
        long least = long.MaxValue;
        foreach (LoopSeat seat in _seats)
        {
            least = Math.Min(least, seat.Deadline);
        }

        Deadline = least;
    }

    public void Dispose()
    {
        _disposed = true;
        _poller.Dispose();
    }

    private int Add(SafeHandle descriptor, PollEvents events, LoopSeat? seat, object source)
    {
        if (!_free.TryPop(out int number))
        {
            number = _used++;
            _poller.Reserve(_used);
            if (_used > _watched.Length)
            {
                Array.Resize(ref _watched, _watched.Length * 2);
            }
        }

        try
        {
            _poller.Watch(descriptor, number, events);
        }
        catch
        {
            _free.Push(number);
            throw;
        }

        _watched[number] = new Watched(seat, source, descriptor);
        return number;
    }

    private readonly record struct Watched(LoopSeat? Seat, object Source, SafeHandle? Descriptor);
}
