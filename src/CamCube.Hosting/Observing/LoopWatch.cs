using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Watching;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Observing;

/// <summary>
/// Watches the loop of the servers from a thread that no loop can block: says by name which callback does not end, and
/// which run long. Time is that of the watch itself: while the whole process stands still, the watch does too, and
/// counts none of it. One thread looks; the rest may be asked by any thread.
/// </summary>
internal sealed class LoopWatch : IHealthSource, IDisposable
{
    // Each look wakes a thread, which of a server with little to do is most of its processor time. A callback
    // that begins behind one is found by the next and has run long two later: within twice SlowCallback, as promised.
    private const int Rests = 2;

    // With an alarm, of HungAfter: a wait that nothing ends. It is known soon enough when a loop that was seen asleep
    // does not wake for what is due.
    private const int WaitPart = 8;
    private readonly ICube _cube;
    private readonly WatchOptions _options;
    private readonly HeldPackets _held;
    private readonly SlowCallbacks _slow;
    private readonly TimeProvider _time;
    private readonly ILogger<LoopWatch> _logger;
    private readonly TimeSpan _period;
    private readonly TimeSpan _rest;
    private readonly TimeSpan _wait;
    private readonly ManualResetEvent _end = new(false);
    private ILoopAlarm? _alarm;
    private Thread? _thread;
    private long _lastLook;
    private long _nanos;
    private bool _isAsleep;
    private bool _isNudged;
    private bool _isDisposed;
    private bool _isServing;
    private string? _hungIn;
    private long _hungNanos;
    private long _nextHeldLook;
    private volatile Finding _finding = new(LoopPhase.NotStarted, 0, null);

    /// <summary>A watch that does not look yet.</summary>
    public LoopWatch(ICube cube, WatchOptions options, HeldPackets held, TimeProvider time, ILogger<LoopWatch> logger)
    {
        (_cube, _options, _held, _time, _logger) = (cube, options, held, time, logger);
        _slow = new SlowCallbacks(options.SlowCallback, options.HungAfter, logger);
        _period = options.SlowCallback / 2 < options.HungAfter / 4 ? options.SlowCallback / 2 : options.HungAfter / 4;
        _rest = Rests * _period < options.HungAfter / 4 ? Rests * _period : options.HungAfter / 4;
        _wait = options.HungAfter / WaitPart;
        Pause = _period;
        _lastLook = time.GetTimestamp();
    }

    /// <summary>Whether the loop turns, as far as is known.</summary>
    public bool IsWell =>
        _finding is { Phase: not LoopPhase.Ended } finding && finding.Nanos < Nanos(_options.HungAfter);

    /// <summary>Until the next look at most: longer while the loop sleeps.</summary>
    public TimeSpan Pause { get; private set; }

    /// <summary>Begins to look.</summary>
    public void Start()
    {
        _alarm = _cube.CreateAlarm(_rest);
        _thread = new Thread(Loop) { Name = "camcube-watch", IsBackground = true };
        _thread.Start();
    }

    /// <summary>Everything runs: from now on slow callbacks are warned of. Before, code is compiled, and nobody
    /// waits.</summary>
    public void Serving() => Volatile.Write(ref _isServing, true);

    /// <summary>Where the loop is at this moment if it stands still, for whoever waits for it in vain; null: it does
    /// not.</summary>
    public string? Describe() =>
        _finding is { Phase: LoopPhase.Runs } finding && finding.Nanos >= 2 * Nanos(_period) ? Text(finding) : null;

    /// <inheritdoc/>
    public IEnumerable<HealthReason> Reasons()
    {
        Finding finding = _finding;
        if (finding.Nanos >= Nanos(_options.HungAfter))
        {
            bool isDead = finding.Nanos >= Nanos(_options.DeadAfter);
            yield return new HealthReason(isDead ? HealthLevel.Dead : HealthLevel.NotReady, Text(finding));
        }
    }

    /// <summary>One look.</summary>
    public void Look()
    {
        // A gap of the watch's own counts as two pauses at most: a process that stood still is not one whose loop did.
        long now = _time.GetTimestamp();
        _nanos += Math.Min(Nanos(_time.GetElapsedTime(_lastLook, now)), 2 * Nanos(Pause));
        _lastLook = now;

        LoopSight sight = _cube.LookAtLoop(_nanos);
        _isAsleep = sight.IsAsleep;
        Pause =
            !_isAsleep ? _period
            : _alarm is null ? _rest
            : _wait;
        if (Volatile.Read(ref _isServing))
        {
            _slow.See(sight.Callback, _nanos);
        }

        _finding = new Finding(sight.Phase, sight.StillNanos, sight.Callback);
        if (sight.StillNanos < Nanos(_options.HungAfter) / 2)
        {
            _isNudged = false;
        }
        else if (!_isNudged)
        {
            // It may only sleep.
            _isNudged = true;
            _cube.NudgeLoop();
        }

        Tell(sight);
        if (_nanos >= _nextHeldLook)
        {
            _nextHeldLook = _nanos + (Nanos(_options.HeldAfter) / 4);
            _held.Look(_cube.GetStatus(), _nanos);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // The container disposes it once for each name under which it is known.
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        _end.Set();
        _alarm?.End();
        _thread?.Join();
        _alarm?.Dispose();
        _end.Dispose();
    }

    private static long Nanos(TimeSpan time) => time.Ticks * 100;

    private static string Text(Finding finding) =>
        finding.Callback is { } callback
            ? $"loop of {callback.Server} has been in {callback.Name} for {Seconds(finding.Nanos)}"
            : $"loop of the servers has not turned for {Seconds(finding.Nanos)}, in no service's code";

    private static string Seconds(long nanos) => FormattableString.Invariant($"{nanos / 1e9:0.#} s");

    private void Tell(LoopSight sight)
    {
        if (sight.StillNanos >= Nanos(_options.HungAfter))
        {
            if (_hungIn is null)
            {
                _hungIn = sight.Callback is { } callback
                    ? $"{callback.Name} on server {callback.Server}"
                    : "no service's code";
                HostingLog.LoopHangs(_logger, Text(_finding));
            }

            _hungNanos = sight.StillNanos;
        }
        else if (_hungIn is { } hungIn)
        {
            HostingLog.LoopGoesOn(_logger, hungIn, Seconds(_hungNanos));
            _hungIn = null;
        }
    }

    private void Loop()
    {
        while (!IsOver())
        {
            try
            {
                Look();
            }
            catch (Exception e)
            {
                // Whatever a cube answers, the watch goes on.
                HostingLog.WatchFailed(_logger, e);
                _end.WaitOne(_options.HungAfter);
            }
        }
    }

    // Sleeps until the next look.
    private bool IsOver()
    {
        if (_alarm is not { } alarm || !_isAsleep)
        {
            return _end.WaitOne(Pause);
        }

        alarm.Wait(Pause);
        return _end.WaitOne(0);
    }

    private sealed record Finding(LoopPhase Phase, long Nanos, CallbackSight? Callback);
}
