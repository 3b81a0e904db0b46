using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Runtime.Loop;

/// <summary>An agent's place: collects its events, and is itself the work that another thread posts to have a
/// turn.</summary>
[SupportedOSPlatform("linux")]
internal abstract class LoopSeat(LoopAgents agents, LoopInbox inbox) : LoopWork, ILoopSeat
{
    private readonly List<LoopEvent> _events = [];

    // 1 as long as it is in the inbox.
    private int _isWoken;
    private bool _isIn;
    private bool _hasLeft;

    /// <summary>The server whose gate it is at.</summary>
    public abstract Coordinate Server { get; }

    /// <summary>What it serves, for people.</summary>
    public abstract string Service { get; }

    /// <summary>When its next turn is due without an event. Loop only.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>Whether it is among those who have the next turns. The loop's list alone.</summary>
    public bool IsDue { get; set; }

    /// <summary>Keeps an event for the next turn.</summary>
    public void Note(in LoopEvent seen) => _events.Add(seen);

    /// <summary>The agent's turn, now.</summary>
    public void Turn()
    {
        if (_hasLeft)
        {
            return;
        }

        if (!_isIn)
        {
            _isIn = true;
            agents.Enter(this);
        }

        long before = Deadline;
        try
        {
            Deadline = Turn(CollectionsMarshal.AsSpan(_events));
        }
        finally
        {
            _events.Clear();
        }

        if (Deadline != before && !_hasLeft)
        {
            agents.FindDeadline();
        }
    }

    public override void Execute()
    {
        // It is out of the inbox only now: a seat that stood in there twice would cut off what was posted between. What
        // is asked for from here on is not lost, whether its turn has begun or not.
        Volatile.Write(ref _isWoken, 0);
        Interlocked.MemoryBarrier();

        // With the others, when the loop has left its servers; it never comes to that once it has ended.
        if (inbox.IsClosed)
        {
            Turn();
        }
        else
        {
            agents.Ask(this);
        }
    }

    int ILoopSeat.Watch(SafeHandle descriptor, LoopEvents events, object source) =>
        agents.Watch(this, descriptor, events, source);

    void ILoopSeat.Change(SafeHandle descriptor, int number, LoopEvents events) =>
        agents.Change(descriptor, number, events);

    void ILoopSeat.Forget(SafeHandle descriptor, int number) => agents.Forget(descriptor, number);

    void ILoopSeat.Wake()
    {
        if (Interlocked.Exchange(ref _isWoken, 1) == 0)
        {
            inbox.Post(this);
        }
    }

    void ILoopSeat.Fault(Exception error)
    {
        ArgumentNullException.ThrowIfNull(error);
        Note(error);
    }

    public void Leave()
    {
        if (!_hasLeft)
        {
            _hasLeft = true;
            agents.Leave(this);
        }
    }

    /// <summary>Gives the place up with all that is still watched from it.</summary>
    protected void Abandon()
    {
        _hasLeft = true;
        agents.Abandon(this);
    }

    /// <summary>What a call into the service threw, during the turn.</summary>
    protected abstract void Note(Exception fault);

    /// <summary>Calls the agent. Returns its next deadline.</summary>
    protected abstract long Turn(ReadOnlySpan<LoopEvent> events);
}
