using System.Diagnostics;
using CamCube.Runtime.Watching;

namespace CamCube.Testing;

/// <summary>
/// Looks at the thread that drives a test's cube from another thread, in real time: a callback that does not end, or
/// that blocks the thread, is named. One thread for all cubes of the process, which looks every 10 ms; it allocates
/// nothing where the cube runs, and what it sees does not change a run that is well.
/// </summary>
internal sealed class CallbackWatch
{
    private const int LeastBlockedLooks = 3;
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(10);
    private static readonly Lock AllLock = new();
    private static readonly List<CallbackWatch> All = [];
    private static Thread? _thread;

    private readonly Lock _lock = new();
    private Func<long, LoopSight>[] _looks = [];
    private Thread? _driver;
    private int _depth;
    private int _blockedLooks;
    private long? _turn;
    private long _turnSince;
    private bool _isInterrupted;
    private string? _stuck;
    private bool _hasFailed;

    /// <summary>Real time that one callback may take.</summary>
    public TimeSpan Limit { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>What messages end with: which run it is.</summary>
    public string Context { get; set; } = "";

    /// <summary>Tells in which turn the code is that asks the cube, which is the driving thread's too; null: in none.
    /// Called from the thread that looks.</summary>
    public Func<long?>? Scenario { get; set; }

    /// <summary>How the process ends when nothing else helps.</summary>
    public Action<string> FailFast { get; set; } =
        static text =>
        {
            Console.Error.WriteLine(text);
            Environment.FailFast(text);
        };

    /// <summary>The first callback that blocked the thread; null: none did.</summary>
    public string? Blocked { get; private set; }

    /// <summary>Looks at loops from now on.</summary>
    /// <param name="looks">One look at each, told the watch's own time.</param>
    public void Begin(Func<long, LoopSight>[] looks)
    {
        _looks = looks;
        lock (AllLock)
        {
            All.Add(this);
            if (_thread is null)
            {
                _thread = new Thread(LookAtAll) { Name = "camcube test watch", IsBackground = true };
                _thread.Start();
            }
        }
    }

    /// <summary>Looks no more.</summary>
    public void End()
    {
        lock (AllLock)
        {
            All.Remove(this);
        }
    }

    /// <summary>The calling thread drives the cube until the scope is disposed, which throws if a callback had to be
    /// broken off.</summary>
    public Scope Drive()
    {
        lock (_lock)
        {
            _depth++;
            _driver = Thread.CurrentThread;
        }

        return new Scope(this);
    }

    private static void LookAtAll()
    {
        long nanos = 0,
            last = Stopwatch.GetTimestamp();
        List<CallbackWatch> now = [];
        for (; ; )
        {
            Thread.Sleep(Period);

            // As in a host: time in which the watch itself stood still does not count.
            long at = Stopwatch.GetTimestamp();
            nanos += Math.Min((long)Stopwatch.GetElapsedTime(last, at).TotalNanoseconds, 2 * Period.Ticks * 100);
            last = at;
            lock (AllLock)
            {
                now.AddRange(All);
            }

            now.ForEach(watch => watch.Look(nanos));
            now.Clear();
        }
    }

    private void Look(long nanos)
    {
        lock (_lock)
        {
            bool isSeen = false;
            foreach (Func<long, LoopSight> look in _looks)
            {
                if (look(nanos).Callback is { } callback && _driver is { } driver && !Debugger.IsAttached)
                {
                    isSeen = true;
                    Judge(callback, driver);
                }
            }

            _blockedLooks = isSeen ? _blockedLooks : 0;
            LookAtScenario(nanos, isSeen);
        }
    }

    private void LookAtScenario(long nanos, bool isInCallback)
    {
        long? turn = isInCallback ? null : Scenario?.Invoke();
        if (turn != _turn || turn is null)
        {
            (_turn, _turnSince) = (turn, nanos);
        }
        else if (_driver is { } driver && !Debugger.IsAttached)
        {
            JudgeLength("The scenario, or a client of it,", nanos - _turnSince, driver);
        }
    }

    private void Judge(CallbackSight callback, Thread driver)
    {
        // With several threads the one that drives waits for the others.
        bool isBlocked = _looks.Length == 1 && (driver.ThreadState & System.Threading.ThreadState.WaitSleepJoin) != 0;
        _blockedLooks = isBlocked && callback.Nanos > 0 ? _blockedLooks + 1 : 0;
        if (_blockedLooks == LeastBlockedLooks)
        {
            Blocked ??=
                $"{callback.Name} at {callback.Server} blocked the thread of its server (Thread.Sleep, a lock, "
                + $"Task.Wait, ...): every other "
                + "service there stands still meanwhile. Await server.DelayAsync or a task instead";
        }

        JudgeLength($"{callback.Name} at {callback.Server}", callback.Nanos, driver);
    }

    private void JudgeLength(string who, long nanos, Thread driver)
    {
        if (Limit == Timeout.InfiniteTimeSpan || nanos < Limit.Ticks * 100)
        {
            _isInterrupted = false;
            return;
        }

        bool isBlocked = _looks.Length == 1 && (driver.ThreadState & System.Threading.ThreadState.WaitSleepJoin) != 0;
        string text =
            $"{who} has not returned for {Limit.TotalSeconds:0.###} s of real time "
            + $"(TestCube.CallbackLimit{Context})";
        if (isBlocked && !_isInterrupted)
        {
            _stuck ??= text;
            _isInterrupted = true;
            driver.Interrupt();
        }
        else if (!_hasFailed && (!_isInterrupted || nanos >= 2 * Limit.Ticks * 100))
        {
            // Nobody can stop a thread that computes.
            _hasFailed = true;
            FailFast($"CamCube test: {text}. It computes without end, so the test run ends here.");
        }
    }

    private void Leave()
    {
        lock (_lock)
        {
            if (--_depth > 0)
            {
                return;
            }

            _driver = null;
        }

        if (_stuck is { } text)
        {
            _stuck = null;
            try
            {
                // An interruption that came too late must not hit somebody else.
                Thread.Sleep(0);
            }
            catch (ThreadInterruptedException) { }

            throw new TimeoutException($"{text}; it was interrupted.");
        }
    }

    /// <summary>A time in which a thread drives the cube.</summary>
    public readonly struct Scope(CallbackWatch watch) : IDisposable
    {
        /// <summary>The end of it.</summary>
        public void Dispose() => watch.Leave();
    }
}
