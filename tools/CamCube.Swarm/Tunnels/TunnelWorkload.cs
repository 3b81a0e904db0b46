using CamCube.Runtime.Services;
using CamCube.Services.Tunnel;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Swarm.Tunnels;

/// <summary>
/// A network card on every server of a swarm run, over which machines send each other datagrams of all lengths, some of
/// them to all, some of them much and at once, some of them what cannot be. At the end, when all has been well for
/// long, everybody reaches everybody, by what is for one and by what is for all, and nothing waits anywhere.
/// </summary>
public sealed class TunnelWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "tunnel";

    /// <summary>In its place: a tunnel that hands on whatever comes, in whatever order, however often. For tests; never
    /// drawn.</summary>
    public const string Hasty = "tunnel-hasty";

    /// <summary>In its place: broadcasts are not looked at whether they came before. For tests; never drawn.</summary>
    public const string Echoing = "tunnel-echoing";

    // Then a cube that is whole is known to be by all of it.
    private const long QuietNanos = 3_000_000_000;
    private const long AgainNanos = 100_000_000;

    // Longer than anything waits for what is lost.
    private const long RestNanos = 1_000_000_000;
    private const int MostTries = 20;
    private const int MostPairs = 400;
    private const int MostFloods = 12;
    private const int RestartOneInMillis = 300;
    private const ushort Flows = 6;
    private readonly TunnelLedger _ledger = new();
    private readonly Random _random;
    private readonly ServiceDefinition _service;
    private readonly ServiceDefinition _flood;
    private readonly bool _restarts;
    private readonly int _pauseMillis;
    private readonly SwarmCard[] _cards;
    private readonly TunnelService?[] _tunnels;
    private readonly int[] _instances;
    private readonly List<(int From, int To, TunnelDatagram? Sent)> _pairs = [];
    private SwarmCube? _cube;
    private long _stoppedNanos;
    private long _triedNanos;
    private int _started;
    private int _tries;
    private bool _isDone;

    /// <summary>Datagrams of a run.</summary>
    public TunnelWorkload(SwarmOptions options)
    {
        _random = SwarmRandom.Of(options.Seed, "tunnel");
        _restarts = _random.Next(3) == 0;
        _pauseMillis = _random.Next(1, 6);
        TorusShape shape = options.ToShape();
        _cards = [.. Enumerable.Range(0, shape.Count).Select(static _ => new SwarmCard())];
        _tunnels = new TunnelService?[shape.Count];
        _instances = new int[shape.Count];
        bool isHasty = options.Services.Contains(Hasty);
        var settings = new TunnelOptions
        {
            Paths = _random.Next(4) == 0 ? TunnelPaths.One : TunnelPaths.All,
            QueuePackets = _random.Next(64, 1_024),
            MostWait = TimeSpan.FromMicroseconds(_random.Next(100, 50_000)),
            Mtu = DrawMtu(),
            JoinedFrames = _random.Next(1, 64),
        };
        _service = ServiceDefinition.Of(activation =>
        {
            int rank = shape.RankOf(activation.Server.Coordinate);
            _instances[rank] = ++_started;
            _cards[rank].Lose();
            return _tunnels[rank] = new TunnelService(
                activation.Server,
                settings,
                activation.Dependency<TunnelFloodService>(),
                _cards[rank],
                NullLogger.Instance
            )
            {
                HandsOnAtOnce = isHasty,
            };
        });
        bool isEchoing = options.Services.Contains(Echoing);
        _flood = ServiceDefinition.Of(activation => new TunnelFloodService(
            activation.Server,
            new TunnelFloodOptions(),
            activation.Dependency<TunnelService>()
        )
        {
            TakesRepeats = isEchoing,
        });
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services => [_service, _flood];

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => _ledger.Checkers;

    /// <inheritdoc/>
    public bool IsIdle => _isDone;

    /// <summary>Whether a run has datagrams, or the planted bug.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(s => s is Name or Hasty or Echoing);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        _ledger.Begin(cube);
        for (int rank = 0; rank < _cards.Length; rank++)
        {
            int at = rank;
            _cards[rank].Received = frame => _ledger.Received(at, _instances[at], _tunnels[at]!, frame);
        }
    }

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        long now = _cube!.Cube.NowNanos;
        if (mayBegin)
        {
            _stoppedNanos = now;
            _pairs.Clear();
            Act();
        }
        else if (!_isDone && now - _stoppedNanos > QuietNanos)
        {
            Reach(now);
        }
    }

    /// <inheritdoc/>
    public void Finish()
    {
        for (int rank = 0; rank < _cards.Length; rank++)
        {
            if (IsThere(rank))
            {
                _ledger.Left(rank, _tunnels[rank]!.Waiting);
            }
        }
    }

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally) => tally.Add(_ledger.Tally);

    private bool IsThere(int rank) => _cube!.Truth.Runs(rank) && !_cube.Cube.IsPaused(rank) && _cards[rank].IsOpen;

    private void Act()
    {
        if (_restarts && _random.Next(RestartOneInMillis) == 0)
        {
            Restart(_random.Next(_cards.Length));
        }

        if (_random.Next(_pauseMillis) != 0)
        {
            return;
        }

        int from = _random.Next(_cards.Length),
            to = _random.Next(_cards.Length);
        if (!IsThere(from) || from == to)
        {
            return;
        }

        if (_random.Next(12) == 0)
        {
            Send(from, Impossible(from, to));
            return;
        }

        if (_random.Next(6) == 0)
        {
            Send(from, TunnelDatagram.Everybody, Flows, DrawLength(isForAll: true));
            return;
        }

        // Mostly a few; now and then more than there is room for.
        int count = _random.Next(20) == 0 ? _random.Next(1_000) : _random.Next(1, 8);
        ushort flow = (ushort)_random.Next(Flows);
        for (int i = 0; i < count; i++)
        {
            Send(from, to, flow, DrawLength());
        }
    }

    // What fits into one packet, what a card may have at most, and what is between.
    private int DrawMtu() =>
        _random.Next(4) switch
        {
            0 => 65_521,
            1 => _random.Next(1_280, 65_522),
            _ => 0,
        };

    // All of what may be, the ends more often; for all only what fits into one packet.
    private int DrawLength(bool isForAll = false)
    {
        TunnelService tunnel = _tunnels.First(static t => t is not null)!;
        int most = (isForAll ? Math.Min(tunnel.Mtu, tunnel.Room) : tunnel.Mtu) - TunnelDatagram.Around;
        return _random.Next(8) switch
        {
            0 => most,
            1 => 0,
            _ => _random.Next(most + 1),
        };
    }

    private TunnelDatagram Send(int from, int to, ushort flow, int length)
    {
        TunnelDatagram datagram = _ledger.Begin(from, _instances[from], to, flow, length);
        Send(from, datagram.ToFrame(_tunnels[from]!.Addresses, _cube!.Cube.Shape));
        return datagram;
    }

    private void Send(int from, byte[] frame)
    {
        SwarmCard card = _cards[from];
        _cube!
            .Cube.ServerOf<TunnelService>(from)
            .Loop.Run(() =>
            {
                card.Send(frame);
                return ValueTask.CompletedTask;
            });
    }

    // Cut off, too long, of somebody else, to nobody, of bytes that are anything.
    private byte[] Impossible(int from, int to)
    {
        _ledger.Tally.Add("tunnel impossible frame");
        int other = (from + 1) % _cards.Length;
        bool isOther = _random.Next(3) == 0 && other != from;
        byte[] frame = new TunnelDatagram(isOther ? other : from, to, 1, uint.MaxValue, _random.Next(2_000)).ToFrame(
            _tunnels[from]!.Addresses,
            _cube!.Cube.Shape
        );
        switch (isOther ? 4 : _random.Next(4))
        {
            case 0:
                return frame[.._random.Next(frame.Length)];
            case 1:
                int mtu = _tunnels[from]!.Mtu,
                    length = _random.Next(mtu + 1, ushort.MaxValue + 1) - TunnelDatagram.Around;
                return new TunnelDatagram(from, to, 1, uint.MaxValue, length).ToFrame(
                    _tunnels[from]!.Addresses,
                    _cube.Cube.Shape
                );
            case 2:
                // Its destination: nobody, or all.
                _random.NextBytes(frame.AsSpan(10, 6));
                return frame;
            case 3:
                // Neither a length nor an address of it is right any more.
                _random.NextBytes(frame.AsSpan(24, Math.Min(20, frame.Length - 24)));
                return frame;
            default:
                return frame;
        }
    }

    private void Restart(int rank)
    {
        if (IsThere(rank))
        {
            _cube!.Cube.RemoveService(rank, _service.Id);
            _cube.Cube.AddService(rank, _service);
            _ledger.Tally.Add("tunnel restarted alone");
        }
    }

    // Again and again, for what is sent to a machine is never sent again by the tunnel.
    private void Reach(long now)
    {
        if (_tries > 0 && now - _triedNanos < AgainNanos)
        {
            return;
        }

        if (_tries == 0)
        {
            DrawPairs();
            _triedNanos = now;
        }

        foreach ((int From, int To, TunnelDatagram? Sent) pair in _pairs.ToArray())
        {
            if (pair.Sent is { } sent && HasCome(sent))
            {
                Tell(sent, hasCome: true);
                _pairs.Remove(pair);
            }
        }

        if (_pairs.Count == 0 || _tries == MostTries)
        {
            _pairs.ForEach(pair => Tell(pair.Sent!.Value, hasCome: false));
            _pairs.Clear();
            _isDone = now - _triedNanos > RestNanos;
            return;
        }

        for (int i = 0; i < _pairs.Count; i++)
        {
            (int from, int to, _) = _pairs[i];
            _pairs[i] = (from, to, Send(from, to, (ushort)(Flows + _tries), 10));
        }

        (_triedNanos, _tries) = (now, _tries + 1);
    }

    private bool HasCome(TunnelDatagram sent) =>
        sent.To == TunnelDatagram.Everybody
            ? Enumerable
                .Range(0, _cards.Length)
                .All(rank => rank == sent.From || !Reaches(sent.From, rank) || _ledger.HasCome(sent, _instances[rank]))
            : _ledger.HasCome(sent, _instances[sent.To]);

    private void Tell(TunnelDatagram sent, bool hasCome)
    {
        if (sent.To == TunnelDatagram.Everybody)
        {
            _ledger.Flooded(sent, hasCome);
        }
        else
        {
            _ledger.Reached(sent, hasCome);
        }
    }

    private bool Reaches(int from, int to) =>
        IsThere(from) && IsThere(to) && _cube!.Truth.ComponentOf(from) == _cube.Truth.ComponentOf(to);

    private void DrawPairs()
    {
        for (int i = 0; i < MostFloods; i++)
        {
            int from = _random.Next(_cards.Length);
            if (IsThere(from))
            {
                _pairs.Add((from, TunnelDatagram.Everybody, null));
            }
        }

        for (int i = 0; i < MostPairs; i++)
        {
            int from = _random.Next(_cards.Length),
                to = _random.Next(_cards.Length);
            if (from != to && Reaches(from, to))
            {
                _pairs.Add((from, to, null));
            }
        }
    }
}
