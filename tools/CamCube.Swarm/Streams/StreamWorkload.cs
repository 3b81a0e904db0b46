using CamCube.Runtime.Services;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Streams;

/// <summary>Streams among all servers during a swarm run, and what must be so of them.</summary>
public sealed class StreamWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "streams";

    /// <summary>In its place: streams that forget to send something again. For tests; never drawn.</summary>
    public const string Forgetful = "streams-forgetful";

    /// <summary>In its place: streams that do not look at runs. For tests; never drawn.</summary>
    public const string AnyRun = "streams-any-run";

    private const int RestartOneInMillis = 200;
    private readonly StreamTraffic _traffic;
    private readonly StreamLedger _ledger;
    private readonly ServiceDefinition _service;
    private readonly Random _restarts;
    private SwarmCube? _cube;
    private bool _isStill = true;
    private long _restarted;

    /// <summary>Streams of a run.</summary>
    public StreamWorkload(SwarmOptions options)
    {
        var settings = new StreamSettings(options.Seed, options.ToShape().Count);
        _ledger = new StreamLedger(settings);
        _traffic = new StreamTraffic(settings, _ledger);
        _restarts = SwarmRandom.Of(options.Seed, "stream restarts");
        _service =
            options.Services.Contains(Forgetful) ? _traffic.DefineForgetful()
            : options.Services.Contains(AnyRun) ? _traffic.DefineAnyRun()
            : _traffic.Define();
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services => [_service];

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => _ledger.Checkers;

    /// <inheritdoc/>
    public bool IsIdle => _ledger.IsIdle;

    /// <summary>Whether a run has streams, or one of their planted bugs.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(s => s is Name or Forgetful or AnyRun);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        _ledger.Begin(cube);
    }

    /// <inheritdoc/>
    public void StandStill(bool isStill)
    {
        _isStill = isStill;
        _ledger.StandStill(isStill);
    }

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        _traffic.IsOn = mayBegin;
        if (_traffic.Settings.Restarts && !_isStill && _restarts.Next(RestartOneInMillis) == 0)
        {
            Restart(_restarts.Next(_cube!.Truth.Shape.Count));
        }

        _ledger.Look();
    }

    /// <inheritdoc/>
    public void Finish() => _ledger.Finish();

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally)
    {
        tally.Add(_ledger.Tally);
        tally.Add("stream service restarted alone", _restarted);
    }

    // The service alone: its server stays.
    private void Restart(int rank)
    {
        if (_cube!.Truth.Runs(rank) && !_cube.Cube.IsPaused(rank))
        {
            _cube.Cube.RestartService(rank, _service.Id);
            _restarted++;
        }
    }
}
