using CamCube.Services.Tunnel;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Tunnels;

/// <summary>
/// What machines sent, and what is right about that which comes: nothing that nobody sent, changed, elsewhere, or
/// twice; and of a flow nothing behind a later one but what the tunnel says came late.
/// </summary>
internal sealed class TunnelLedger
{
    private readonly List<TunnelDatagram> _sent = [];
    private readonly HashSet<(uint Number, int Instance)> _came = [];
    private readonly Dictionary<(int From, int SenderInstance, int Instance, ushort Flow), uint> _last = [];
    private readonly Dictionary<int, long> _behind = [];
    private readonly List<int> _instanceOf = [];
    private readonly TunnelChecker _bytes = new("tunnel-bytes");
    private readonly TunnelChecker _place = new("tunnel-place");
    private readonly TunnelChecker _once = new("tunnel-once");
    private readonly TunnelChecker _order = new("tunnel-order");
    private readonly TunnelChecker _reach = new("tunnel-reach");
    private readonly TunnelChecker _flood = new("tunnel-flood");
    private readonly TunnelChecker _left = new("tunnel-left");

    private SwarmCube _cube = null!;

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_bytes, _place, _once, _order, _reach, _flood, _left];

    /// <summary>What happened.</summary>
    public SwarmTally Tally { get; } = new();

    private long Now => _cube.Cube.NowNanos;

    /// <summary>The cube stands.</summary>
    public void Begin(SwarmCube cube) => _cube = cube;

    /// <summary>The next datagram.</summary>
    /// <param name="from">Rank of the sender.</param>
    /// <param name="instance">The tunnel there.</param>
    /// <param name="to">Rank of whom it is for, or all.</param>
    /// <param name="flow">Its flow.</param>
    /// <param name="length">Its bytes.</param>
    public TunnelDatagram Begin(int from, int instance, int to, ushort flow, int length)
    {
        var datagram = new TunnelDatagram(from, to, flow, (uint)_sent.Count, length);
        _sent.Add(datagram);
        _instanceOf.Add(instance);
        Tally.Add("tunnel sent");
        return datagram;
    }

    /// <summary>Whether a datagram came, to whichever tunnel of its server.</summary>
    public bool HasCome(TunnelDatagram datagram, int instance) => _came.Contains((datagram.Number, instance));

    /// <summary>A machine was given a frame.</summary>
    public void Received(int rank, int instance, TunnelService tunnel, ReadOnlySpan<byte> frame)
    {
        if (TunnelDatagram.IsNote(frame))
        {
            Tally.Add("tunnel told of unreachable");
            return;
        }

        uint? number = TunnelDatagram.NumberIn(frame);
        int length = frame.Length;
        if (number is not { } known || known >= _sent.Count)
        {
            _bytes.Look(false, Now, () => $"{_cube.Cube.Shape.At(rank)} was given {length} bytes that nobody sent.");
            return;
        }

        TunnelDatagram sent = _sent[(int)known];
        bool isSame = frame.SequenceEqual(sent.ToFrame(tunnel.Addresses, _cube.Cube.Shape));
        _bytes.Look(isSame, Now, () => $"{sent} was changed on its way.");
        bool isForAll = sent.To == TunnelDatagram.Everybody;
        bool isHere = isForAll ? sent.From != rank : sent.To == rank;
        _place.Look(isHere, Now, () => $"{sent} came to {_cube.Cube.Shape.At(rank)}.");
        _once.Look(_came.Add((known, instance)), Now, () => $"{sent} came twice.");
        Tally.Add("tunnel received");
        if (isForAll)
        {
            // Each goes over a tree of its own, so they have no order.
            Tally.Add("tunnel received by all");
            return;
        }

        (int, int, int, ushort) flow = (sent.From, _instanceOf[(int)known], instance, sent.Flow);
        if (_last.TryGetValue(flow, out uint last) && known < last)
        {
            long behind = _behind[instance] = _behind.GetValueOrDefault(instance) + 1;
            long late = tunnel.Counters.Late.Value;
            _order.Look(
                behind <= late,
                Now,
                () => $"{sent} came behind {_sent[(int)last]}; {late} are said to be late."
            );
            Tally.Add("tunnel late");
            return;
        }

        _order.Look(true, Now, static () => "");
        _last[flow] = known;
    }

    /// <summary>Whether what was sent when all had been well for long has come.</summary>
    public void Reached(TunnelDatagram datagram, bool hasCome) =>
        _reach.Look(
            hasCome,
            Now,
            () => $"{datagram} was sent again and again over a cube that is well, and did not come."
        );

    /// <summary>Whether all servers that are there have what was sent to all when all had been well for long.</summary>
    public void Flooded(TunnelDatagram datagram, bool hasCome) =>
        _flood.Look(
            hasCome,
            Now,
            () => $"{datagram} was sent to all again and again over a cube that is well, and not all have it."
        );

    /// <summary>Whether nothing waits at a server when all is over.</summary>
    public void Left(int rank, (int Leaving, int Coming) waiting) =>
        _left.Look(waiting == default, Now, () => $"{waiting} packets wait at {_cube.Cube.Shape.At(rank)}.");
}
