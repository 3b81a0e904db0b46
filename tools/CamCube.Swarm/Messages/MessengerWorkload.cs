using CamCube.Runtime.Services;
using CamCube.Services.Messenger;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Messages;

/// <summary>
/// Endpoints that open, close and move on all servers of a swarm run, and messages of all kinds between them. When the
/// run ends everything is closed, and nothing may be left.
/// </summary>
public sealed class MessengerWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "messenger";

    /// <summary>In its place: a messenger that now and then gives a message to the wrong endpoint. For tests; never
    /// drawn.</summary>
    public const string Astray = "messenger-astray";

    // Renewals of names, three times, and a little: then a cube that is whole has one owner of each name.
    private const long QuietNanos = 4_000_000_000;
    private const int RestartOneInMillis = 200;
    private readonly MessengerLedger _ledger = new();
    private readonly MessengerOptions _options;
    private readonly ServiceDefinition _service;
    private readonly Random _random;
    private readonly bool _restarts;
    private MessengerTraffic? _traffic;
    private SwarmCube? _cube;
    private long _stoppedNanos;
    private bool _isClosed,
        _isDone;

    /// <summary>Messages of a run.</summary>
    public MessengerWorkload(SwarmOptions options)
    {
        _random = SwarmRandom.Of(options.Seed, "messenger restarts");
        _restarts = _random.Next(3) == 0;

        // As in production, in proportion to the detection time.
        _options = new MessengerOptions
        {
            SettleTime = options.DetectionTime / 2,
            ResolveTime = options.DetectionTime * 5,
            ForwardTime = options.DetectionTime,
            RenewTime = TimeSpan.FromSeconds(1),
            HasOwnEndpoint = false,
            ReceiveBuffers = 32,
            WindowMemory = 4 << 20,
        };
        _service = options.Services.Contains(Astray)
            ? AstrayMessengerService.Define(_options)
            : ServiceDefinition.Of(a => new MessengerService(a.Server, _options));
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services => [_service];

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => _ledger.Checkers;

    /// <inheritdoc/>
    public bool IsIdle => _isDone;

    /// <summary>Whether a run has messages, or the planted bug.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(s => s is Name or Astray);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        _traffic = new MessengerTraffic(cube, _ledger);
    }

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        long now = _cube!.Cube.NowNanos;
        _traffic!.Step(mayBegin);
        if (mayBegin)
        {
            _stoppedNanos = now;
            if (_restarts && _random.Next(RestartOneInMillis) == 0)
            {
                _traffic.Restart(_random.Next(_cube.Cube.Shape.Count), _service);
            }
        }
        else if (!_isClosed && now - _stoppedNanos > QuietNanos && _traffic.IsIdle)
        {
            _traffic.CheckOwners();
            _traffic.Close();
            (_isClosed, _stoppedNanos) = (true, now);
        }
        else if (_isClosed && !_isDone && now - _stoppedNanos > QuietNanos)
        {
            _traffic.CheckLeft();
            _isDone = true;
        }
    }

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally) => tally.Add(_ledger.Tally);
}
