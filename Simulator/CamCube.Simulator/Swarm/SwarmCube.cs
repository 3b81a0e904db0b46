using CamCube.Runtime;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Services;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// A simulated cube, and beside it what is really so: everything that is done to it goes through here, so that checkers
/// know. Remembers the counters of runs that have ended. Stops the cube when disposed. One thread.
/// </summary>
public sealed class SwarmCube : IDisposable
{
    private readonly List<ServerRuntime> _runs = [];
    private readonly TimeSpan[] _clockOffsets;
    private readonly int[] _stops;
    private readonly bool[] _hasLostDisk;
    private readonly Action<CubeNote>? _noted;
    private bool _isDisposed;

    /// <summary>A cube with these services on every server, and somebody who looks on, or not.</summary>
    public SwarmCube(SwarmOptions options, IReadOnlyList<ServiceDefinition> services, IRunRecorder? recorder = null)
    {
        Options = options;
        TorusShape shape = options.ToShape();
        Truth = new TrueCube(shape);
        _stops = new int[shape.Count];
        _hasLostDisk = new bool[shape.Count];
        _clockOffsets = new TimeSpan[shape.Count];
        History = new ClaimHistory(shape);
        Roots = new RootChecker(Truth, options.IsStrict);
        var simulator = new SimulatorOptions
        {
            Seed = options.Seed,
            ColdStart = options.ColdStart,
            LinkBitsPerSecond = options.LinkBitsPerSecond,
            LinkDelayNanos = options.LinkDelayNanos,
            MaxFrameLength = options.MaxFrameLength,
        };
        recorder?.Prepare(shape, services, simulator);
        _noted = simulator.Noted;
        var server = new ServerOptions { Liveness = { DetectionTime = options.DetectionTime } };
        Cube = new SimulatedCube(shape, services, simulator, server, History);
        History.Attach(Cube);
        for (int rank = 0; rank < shape.Count; rank++)
        {
            _runs.Add(Cube.Running(rank));
        }
    }

    /// <summary>What is run.</summary>
    public SwarmOptions Options { get; }

    /// <summary>The cube.</summary>
    public SimulatedCube Cube { get; }

    /// <summary>What is so.</summary>
    public TrueCube Truth { get; }

    /// <summary>Who holds itself to be root of what.</summary>
    public RootChecker Roots { get; }

    internal ClaimHistory History { get; }

    internal IReadOnlyList<ServerRuntime> Runs => _runs;

    /// <summary>How often a server was stopped: a client that lives there looks whether its server is still the same
    /// run.</summary>
    public int StopsOf(int rank) => _stops[rank];

    /// <summary>Stops a server as if its power failed.</summary>
    public void Kill(int rank)
    {
        if (Truth.Runs(rank))
        {
            _stops[rank]++;
            Cube.Kill(rank);
            Truth.SetRuns(rank, false);
            History.Stopped(rank, Cube.NowNanos);
        }
    }

    /// <summary>The same, and its disk is gone: whoever starts it has put in an empty one.</summary>
    public void KillForGood(int rank)
    {
        Kill(rank);
        _hasLostDisk[rank] = true;
    }

    /// <summary>Starts a stopped server with empty memory.</summary>
    public void Revive(int rank)
    {
        if (!Truth.Runs(rank))
        {
            Cube.Revive(rank, _hasLostDisk[rank]);
            _hasLostDisk[rank] = false;
            Truth.SetRuns(rank, true);
            _runs.Add(Cube.Running(rank));
            History.Started(rank);
        }
    }

    /// <summary>Cuts one direction of a cable once more (+1), or undoes one of its cuts (−1).</summary>
    public void AddCut(int rank, Link link, int by)
    {
        if (!Truth.AddCut(rank, link, by))
        {
            return;
        }

        if (by > 0)
        {
            Cube.CutOneWay(rank, link);
        }
        else
        {
            Cube.MendOneWay(rank, link);
        }
    }

    /// <summary>Lets a server stand still, until <see cref="Resume"/> or for this long. While it does nothing it claims
    /// nothing.</summary>
    public void Pause(int rank, long nanos)
    {
        if (Truth.Runs(rank))
        {
            Cube.Pause(rank, TimeSpan.FromTicks(nanos / 100));
            History.Stopped(rank, Cube.NowNanos);
        }
    }

    /// <summary>Ends a pause, or notes that it has ended.</summary>
    public void Resume(int rank)
    {
        if (!Truth.Runs(rank))
        {
            return;
        }

        if (Cube.IsPaused(rank))
        {
            Cube.Pause(rank, TimeSpan.Zero);
        }

        History.Started(rank);
    }

    /// <summary>Lets a server stand still in front of its next look at the clock; zero: it does not.</summary>
    public void PauseAtReadClock(int rank, long nanos)
    {
        if (Truth.Runs(rank))
        {
            Cube.PauseAtReadClock(rank, TimeSpan.FromTicks(nanos / 100));
        }
    }

    /// <summary>Sets a server's clock wrong: by an offset beside those that it has, and a drift instead of the one that
    /// it has.</summary>
    public void SetClock(int rank, TimeSpan offset, int driftPartsPerMillion)
    {
        _clockOffsets[rank] += offset;
        Cube.SetClock(rank, _clockOffsets[rank], driftPartsPerMillion);
    }

    /// <summary>Notes for a timeline that a fault begins or ends: it is a span there.</summary>
    internal void NoteFault(bool begins, long number, string text) =>
        _noted?.Invoke(
            new CubeNote(
                Cube.NowNanos,
                default,
                begins ? CubeNoteKind.FaultBegan : CubeNoteKind.FaultEnded,
                text,
                number
            )
        );

    /// <summary>Packets dropped for a reason, in all runs of all servers.</summary>
    public long Drops(DropReason reason) => _runs.Sum(run => run.Counters.DropsOf(reason));

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            Cube.Dispose();
        }
    }
}
