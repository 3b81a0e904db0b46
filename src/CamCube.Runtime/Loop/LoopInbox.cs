using System.Runtime.ExceptionServices;

namespace CamCube.Runtime.Loop;

/// <summary>
/// Work from other threads for the loop of one thread: many producers, one consumer, in order of arrival, with the
/// sleep protocol: producers wake only a loop that declared itself asleep, once per sleep. Bounded by who posts: gates
/// limit open calls. Memory order: a producer publishes its node by an interlocked exchange (full fence) before it
/// reads the flag; the loop sets the flag, fences, and looks at the list again before it sleeps. So either the producer
/// sees the flag or the loop sees the node.
/// </summary>
internal sealed class LoopInbox
{
    private LoopWork? _head;
    private int _asleep;
    private bool _closed;
    private int _isDrainedLate;

    /// <summary>Ends the loop's sleep; set before the loop starts.</summary>
    public Action Wake { get; set; } = static () => { };

    /// <summary>True: whoever drives the loop is who calls, in virtual time; results reach him at once, in an order
    /// that can be repeated.</summary>
    public bool ContinuesInline { get; init; }

    /// <summary>The agents of this loop; null where it cannot wait for descriptors. Set before the loop
    /// starts.</summary>
    public LoopAgents? Agents { get; set; }

    /// <summary>The time of whoever drives the servers. Loop only. Set before the loop starts.</summary>
    public Func<long> NowNanos { get; set; } = static () => 0;

    /// <summary>Lets other threads into the servers, one at a time; null: the loop's thread alone touches them. Set
    /// before the loop starts.</summary>
    public LoopLock? Lock { get; set; }

    /// <summary>What <see cref="NowNanos"/> would say if the loop were awake. Any thread. Set before the loop starts,
    /// where there is a <see cref="Lock"/>.</summary>
    public Func<long> Clock { get; set; } = static () => 0;

    /// <summary>Whether the loop sleeps, or is about to.</summary>
    public bool IsAsleep => Volatile.Read(ref _asleep) != 0;

    /// <summary>Whether the loop has ended.</summary>
    public bool IsClosed => Volatile.Read(ref _closed);

    public bool IsEmpty => Volatile.Read(ref _head) is null;

    /// <summary>Any thread.</summary>
    public void Post(LoopWork work)
    {
        LoopWork? head = Volatile.Read(ref _head);
        for (; ; )
        {
            work.NextWork = head;
            LoopWork? seen = Interlocked.CompareExchange(ref _head, work, head);
            if (seen == head)
            {
                break;
            }

            head = seen;
        }

        if (Volatile.Read(ref _closed))
        {
            // The loop has ended and every server with it: the work only has to learn that.
            DrainLate();
            return;
        }

        if (Volatile.Read(ref _asleep) != 0 && Interlocked.Exchange(ref _asleep, 0) != 0)
        {
            Wake();
        }
    }

    /// <summary>Runs all that is there now, in order of arrival. Loop only, with the <see cref="Lock"/>, until the
    /// inbox is closed. Returns how many.</summary>
    /// <exception cref="Exception">What a work threw, or all of it: after all others have run.</exception>
    public int Drain()
    {
        if (Volatile.Read(ref _head) is null)
        {
            return 0;
        }

        int n = RunAll(out List<Exception>? errors);
        if (errors is [Exception single])
        {
            ExceptionDispatchInfo.Throw(single);
        }

        return errors is null ? n : throw new AggregateException(errors);
    }

    /// <summary>The loop has ended: what still comes runs at once, on a thread that posts, and finds no
    /// server.</summary>
    public void Close()
    {
        Volatile.Write(ref _closed, true);
        Interlocked.MemoryBarrier();
        DrainLate();
    }

    /// <summary>False: something came in; do not sleep. Loop only.</summary>
    public bool TryDeclareAsleep()
    {
        Interlocked.Exchange(ref _asleep, 1);
        if (IsEmpty)
        {
            return true;
        }

        Volatile.Write(ref _asleep, 0);
        return false;
    }

    /// <summary>Loop only.</summary>
    public void Awake() => Volatile.Write(ref _asleep, 0);

    private int RunAll(out List<Exception>? errors)
    {
        LoopWork? work = Interlocked.Exchange(ref _head, null);
        LoopWork? ordered = null;
        while (work is not null)
        {
            (LoopWork next, work.NextWork) = (work.NextWork!, ordered);
            (ordered, work) = (work, next);
        }

        int n = 0;
        errors = null;
        while (ordered is not null)
        {
            LoopWork current = ordered;
            ordered = current.NextWork;
            current.NextWork = null;
            try
            {
                current.Execute();
            }
            catch (Exception e)
            {
                // Somebody waits for each of the others.
                (errors ??= []).Add(e);
            }

            n++;
        }

        return n;
    }

    // One thread at a time, and none within itself: agents' turns are among the work. Who finds another at it leaves
    // his to that one. What is thrown is told to nobody: the servers' end has been told, and who posts has no part in
    // it.
    private void DrainLate()
    {
        while (!IsEmpty && Interlocked.Exchange(ref _isDrainedLate, 1) == 0)
        {
            RunAll(out _);
            Interlocked.Exchange(ref _isDrainedLate, 0);
        }
    }
}
