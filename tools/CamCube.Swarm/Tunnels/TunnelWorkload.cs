using CamCube.Runtime.Services;
using CamCube.Services.Tunnel;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Swarm.Tunnels;

/// <summary>
/// A network card on every server of a swarm run, over which machines send each other datagrams of all lengths, some of
/// them to all, some of them much and at once, some of them what cannot be; if asked for, machines behind a bridge and
/// in other networks, too. At the end, when all has been well for long, everybody reaches everybody, by what is for one
/// and by what is for all, and nothing waits anywhere.
/// </summary>
public sealed class TunnelWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "tunnel";

    /// <summary>The same, with a bridge and gateways.</summary>
    public const string Outside = "tunnel-outside";

    /// <summary>In its place: a tunnel that hands on whatever comes, in whatever order, however often. For tests; never
    /// drawn.</summary>
    public const string Hasty = "tunnel-hasty";

    /// <summary>In its place: broadcasts are not looked at whether they came before. For tests; never drawn.</summary>
    public const string Echoing = "tunnel-echoing";

    /// <summary>In place of the one with a bridge: what is for another machine behind it goes back there. For tests;
    /// never drawn.</summary>
    public const string Reflecting = "tunnel-reflecting";

    /// <summary>In place of the one with gateways: a machine stays with the first that it had. For tests; never drawn.
    /// </summary>
    public const string Sticking = "tunnel-sticking";

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
    private readonly TunnelLedger _ledger;
    private readonly TunnelMachines _machines;
    private readonly TunnelOutside? _outside;
    private readonly Random _random;
    private readonly ServiceDefinition _service;
    private readonly ServiceDefinition _flood;
    private readonly bool _restarts;
    private readonly int _pauseMillis;
    private readonly List<TunnelPair> _pairs = [];
    private SwarmCube? _cube;
    private long _stoppedNanos;
    private long _triedNanos;
    private int _tries;
    private bool _isDone;

    /// <summary>Datagrams of a run.</summary>
    public TunnelWorkload(SwarmOptions options)
    {
        _random = SwarmRandom.Of(options.Seed, "tunnel");
        _restarts = _random.Next(3) == 0;
        _pauseMillis = _random.Next(1, 6);
        TorusShape shape = options.ToShape();
        bool hasOutside = options.Services.Any(IsOutside);
        TunnelPlaces places = hasOutside
            ? TunnelPlaces.Draw(shape, SwarmRandom.Of(options.Seed, "tunnel places"))
            : TunnelPlaces.None;
        _ledger = new TunnelLedger(places);
        _machines = new TunnelMachines(shape, _ledger);
        var settings = new TunnelOptions
        {
            Paths = _random.Next(4) == 0 ? TunnelPaths.One : TunnelPaths.All,
            QueuePackets = _random.Next(64, 1_024),
            MostWait = TimeSpan.FromMicroseconds(_random.Next(100, 50_000)),
            Mtu = DrawMtu(),
            JoinedFrames = _random.Next(1, 64),
        };
        _outside = hasOutside ? new TunnelOutside(options, places, _machines) : null;
        _outside?.AddTo(settings, shape);
        _service = Define(options, settings, shape);
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

    /// <summary>Whether a run has datagrams, or a planted bug.</summary>
    public static bool IsWanted(SwarmOptions options) =>
        options.Services.Any(s => s is Name or Hasty or Echoing || IsOutside(s));

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        _ledger.Begin(cube);
        _machines.Begin(cube);
        _outside?.Begin(cube);
    }

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        long now = _cube!.Cube.NowNanos;
        _outside?.GoRound(isEnding: _tries > 0);
        if (mayBegin)
        {
            _stoppedNanos = now;
            _pairs.Clear();
            Act();
            _outside?.Act();
        }
        else if (!_isDone && now - _stoppedNanos > QuietNanos)
        {
            Reach(now);
        }
    }

    /// <inheritdoc/>
    public void Finish()
    {
        for (int rank = 0; rank < _machines.Count; rank++)
        {
            if (_machines.IsThere(rank))
            {
                _ledger.Left(rank, _machines[rank].Waiting);
            }
        }
    }

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally) => tally.Add(_ledger.Tally);

    private static bool IsOutside(string service) => service is Outside or Reflecting or Sticking;

    private ServiceDefinition Define(SwarmOptions options, TunnelOptions settings, TorusShape shape)
    {
        bool isHasty = options.Services.Contains(Hasty),
            isReflecting = options.Services.Contains(Reflecting),
            isSticking = options.Services.Contains(Sticking);
        return ServiceDefinition.Of(activation =>
            _machines.Started(
                shape.RankOf(activation.Server.Coordinate),
                card => new TunnelService(
                    activation.Server,
                    settings,
                    activation.Dependency<TunnelFloodService>(),
                    card,
                    NullLogger.Instance
                )
                {
                    HandsOnAtOnce = isHasty,
                    SendsBack = isReflecting,
                    StaysWithGateway = isSticking,
                }
            )
        );
    }

    private void Act()
    {
        if (_restarts && _random.Next(RestartOneInMillis) == 0)
        {
            Restart(_random.Next(_machines.Count));
        }

        if (_random.Next(_pauseMillis) != 0)
        {
            return;
        }

        int from = _random.Next(_machines.Count),
            to = _random.Next(_machines.Count);
        if (!_machines.IsThere(from) || from == to)
        {
            return;
        }

        if (_random.Next(12) == 0)
        {
            _machines.Send(from, Impossible(from, to));
            return;
        }

        if (_random.Next(6) == 0)
        {
            Send(TunnelEnd.Of(from), from, TunnelEnd.All, Flows, _machines.DrawLength(_random, isForAll: true));
            return;
        }

        // Mostly a few; now and then more than there is room for.
        int count = _random.Next(20) == 0 ? _random.Next(1_000) : _random.Next(1, 8);
        ushort flow = (ushort)_random.Next(Flows);
        for (int i = 0; i < count; i++)
        {
            Send(TunnelEnd.Of(from), from, TunnelEnd.Of(to), flow, _machines.DrawLength(_random));
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

    private TunnelDatagram Send(TunnelEnd from, int via, TunnelEnd to, ushort flow, int length) =>
        to.Kind == TunnelEndKind.All && _outside is not null
            ? _outside.SendToAll(from, via, flow, length)
            : _machines.Send(from, via, to, flow, length);

    // Cut off, too long, of somebody else, to nobody, of bytes that are anything.
    private byte[] Impossible(int from, int to)
    {
        _ledger.Tally.Add("tunnel impossible frame");
        int other = (from + 1) % _machines.Count;
        bool isOther = _random.Next(3) == 0 && other != from;
        byte[] frame = FrameOfNobody(isOther ? other : from, from, to, _random.Next(2_000));
        switch (isOther ? 4 : _random.Next(4))
        {
            case 0:
                return frame[.._random.Next(frame.Length)];
            case 1:
                int length = _random.Next(_machines[from].Mtu + 1, ushort.MaxValue + 1) - TunnelDatagram.Around;
                return FrameOfNobody(from, from, to, length);
            case 2:
                // Its destination: nobody, or all.
                _random.NextBytes(frame.AsSpan(10, 6));
                return frame;
            case 3:
                // Neither a length nor an address of it is right any more; of a gateway, which may send from most
                // addresses, not its version either.
                _random.NextBytes(frame.AsSpan(24, Math.Min(20, frame.Length - 24)));
                frame[24] |= (byte)(_outside?.Places.Gateways.Contains(from) == true ? 0xF0 : 0);
                return frame;
            default:
                return frame;
        }
    }

    // With a number that no datagram has.
    private byte[] FrameOfNobody(int sender, int from, int to, int length) =>
        new TunnelDatagram(TunnelEnd.Of(sender), from, TunnelEnd.Of(to), 1, uint.MaxValue, length).ToFrame(
            _machines[from].Addresses,
            _cube!.Cube.Shape
        );

    private void Restart(int rank)
    {
        if (_machines.IsThere(rank))
        {
            // Not taken out and put in, which no host does: its counters would begin anew, too, and its run is one more
            // than their last.
            _cube!.Cube.RestartService(rank, _service.Id);
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

        foreach (TunnelPair pair in _pairs.ToArray())
        {
            if (pair.Sent is { } sent && HasCome(sent, pair.At))
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

        foreach (TunnelPair pair in _pairs)
        {
            _outside?.Greet(pair);
            pair.Sent = Send(pair.From, pair.Via, pair.To, (ushort)(Flows + _tries), 10);
        }

        (_triedNanos, _tries) = (now, _tries + 1);
    }

    private bool HasCome(TunnelDatagram sent, int at) =>
        sent.To.Kind == TunnelEndKind.All
            ? Enumerable.Range(0, _machines.Count).All(rank => HasAll(sent, rank))
            : _ledger.HasCome(sent, _machines.InstanceOf(at));

    private bool HasAll(TunnelDatagram sent, int rank) =>
        rank == sent.Via
        || _outside?.HasByItself(sent, rank) == true
        || !_machines.Reaches(sent.Via, rank)
        || _ledger.HasCome(sent, _machines.InstanceOf(rank));

    private void Tell(TunnelDatagram sent, bool hasCome)
    {
        if (sent.To.Kind == TunnelEndKind.All)
        {
            _ledger.Flooded(sent, hasCome);
        }
        else
        {
            _ledger.Reached(sent, hasCome);
        }
    }

    private void DrawPairs()
    {
        for (int i = 0; i < MostFloods; i++)
        {
            int from = _random.Next(_machines.Count);
            if (_machines.IsThere(from))
            {
                _pairs.Add(new TunnelPair(TunnelEnd.Of(from), from, TunnelEnd.All, At: -1));
            }
        }

        for (int i = 0; i < MostPairs; i++)
        {
            int from = _random.Next(_machines.Count),
                to = _random.Next(_machines.Count);
            if (from != to && _machines.Reaches(from, to))
            {
                _pairs.Add(new TunnelPair(TunnelEnd.Of(from), from, TunnelEnd.Of(to), to));
            }
        }

        _pairs.AddRange(_outside?.DrawPairs() ?? []);
    }
}
