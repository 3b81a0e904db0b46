using CamCube.Services.Tunnel;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Tunnels;

/// <summary>
/// What machines sent, and what is right about that which comes: nothing that nobody sent, changed, elsewhere, or
/// twice; of a flow nothing behind a later one but what the tunnel says came late; and nothing that came in by the
/// bridge goes out by it.
/// </summary>
/// <param name="places">Where bridge and gateways are.</param>
internal sealed class TunnelLedger(TunnelPlaces places)
{
    private readonly List<TunnelDatagram> _sent = [];
    private readonly HashSet<(uint Number, int Instance)> _came = [];
    private readonly HashSet<uint> _forbidden = [];
    private readonly Dictionary<(TunnelEnd From, TunnelEnd To, int Sender, int Instance, ushort Flow), uint> _last = [];
    private readonly Dictionary<int, long> _behind = [];
    private readonly List<int> _instanceOf = [];
    private readonly PromiseChecker _bytes = new("tunnel-bytes");
    private readonly PromiseChecker _place = new("tunnel-place");
    private readonly PromiseChecker _once = new("tunnel-once");
    private readonly PromiseChecker _order = new("tunnel-order");
    private readonly PromiseChecker _reach = new("tunnel-reach");
    private readonly PromiseChecker _flood = new("tunnel-flood");
    private readonly PromiseChecker _back = new("tunnel-back");
    private readonly PromiseChecker _left = new("tunnel-left");

    private SwarmCube _cube = null!;

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_bytes, _place, _once, _order, _reach, _flood, _back, _left];

    /// <summary>What happened.</summary>
    public SwarmTally Tally { get; } = new();

    private long Now => _cube.Cube.NowNanos;

    /// <summary>The cube stands.</summary>
    public void Begin(SwarmCube cube) => _cube = cube;

    /// <summary>The next datagram.</summary>
    /// <param name="from">The sender.</param>
    /// <param name="via">Rank of the server by whose card.</param>
    /// <param name="instance">The tunnel there.</param>
    /// <param name="to">Whom it is for.</param>
    /// <param name="flow">Its flow.</param>
    /// <param name="length">Its bytes.</param>
    public TunnelDatagram Begin(TunnelEnd from, int via, int instance, TunnelEnd to, ushort flow, int length)
    {
        var datagram = new TunnelDatagram(from, via, to, flow, (uint)_sent.Count, length);
        _sent.Add(datagram);
        _instanceOf.Add(instance);
        Tally.Add("tunnel sent");
        return datagram;
    }

    /// <summary>A datagram was sent that must not come anywhere.</summary>
    public void MustNotCome(TunnelDatagram datagram)
    {
        _forbidden.Add(datagram.Number);
        Tally.Add("tunnel sent in vain");
    }

    /// <summary>Whether a datagram came, to whichever tunnel of its server.</summary>
    public bool HasCome(TunnelDatagram datagram, int instance) => _came.Contains((datagram.Number, instance));

    /// <summary>A machine was given a frame.</summary>
    /// <returns>The datagram that it is; null: none that was sent.</returns>
    public TunnelDatagram? Received(int rank, int instance, TunnelService tunnel, ReadOnlySpan<byte> frame)
    {
        if (TunnelDatagram.IsNote(frame))
        {
            Tally.Add("tunnel told of unreachable");
            return null;
        }

        uint? number = TunnelDatagram.NumberIn(frame);
        int length = frame.Length;
        if (number is not { } known || known >= _sent.Count)
        {
            _bytes.Check(false, Now, () => $"{_cube.Cube.Shape.At(rank)} was given {length} bytes that nobody sent.");
            return null;
        }

        TunnelDatagram sent = _sent[(int)known];
        bool isSame = frame.SequenceEqual(sent.ToFrameAt(rank, tunnel.Addresses, _cube.Cube.Shape));
        _bytes.Check(isSame, Now, () => $"{sent} was changed on its way.");
        bool isBack = sent.From.Kind == TunnelEndKind.Bridged && rank == places.Bridge;
        _back.Check(!isBack, Now, () => $"{sent} came in by the bridge, and goes out by it.");
        bool isHere = !_forbidden.Contains(known) && IsPlaceOf(sent, rank);
        _place.Check(isHere, Now, () => $"{sent} came to {_cube.Cube.Shape.At(rank)}.");
        _once.Check(_came.Add((known, instance)), Now, () => $"{sent} came twice.");
        Tally.Add("tunnel received");
        if (sent.To.Kind == TunnelEndKind.All)
        {
            // Each goes over a tree of its own, so they have no order.
            Tally.Add("tunnel received by all");
            return sent;
        }

        if (sent.From.Kind != TunnelEndKind.Server || sent.To.Kind != TunnelEndKind.Server)
        {
            Tally.Add($"tunnel received from {sent.From.Kind} by {sent.To.Kind}");
        }

        (TunnelEnd, TunnelEnd, int, int, ushort) flow = (
            sent.From,
            sent.To,
            _instanceOf[(int)known],
            instance,
            sent.Flow
        );
        if (_last.TryGetValue(flow, out uint last) && known < last)
        {
            long behind = _behind[instance] = _behind.GetValueOrDefault(instance) + 1;
            long late = tunnel.Counters.Late.Value;
            _order.Check(
                behind <= late,
                Now,
                () => $"{sent} came behind {_sent[(int)last]}; {late} are said to be late."
            );
            Tally.Add("tunnel late");
            return sent;
        }

        _order.Check(true, Now, static () => "");
        _last[flow] = known;
        return sent;
    }

    /// <summary>What came in by the bridge came out by another one, long after there was one.</summary>
    public void CameBack(TunnelDatagram datagram) =>
        _back.Check(false, Now, () => $"{datagram} came in by the bridge, and goes out by another one.");

    /// <summary>Whether what was sent when all had been well for long has come.</summary>
    public void Reached(TunnelDatagram datagram, bool hasCome) =>
        _reach.Check(
            hasCome,
            Now,
            () => $"{datagram} was sent again and again over a cube that is well, and did not come."
        );

    /// <summary>Whether all servers that are there have what was sent to all when all had been well for long.</summary>
    public void Flooded(TunnelDatagram datagram, bool hasCome) =>
        _flood.Check(
            hasCome,
            Now,
            () => $"{datagram} was sent to all again and again over a cube that is well, and not all have it."
        );

    /// <summary>Whether nothing waits at a server when all is over.</summary>
    public void Left(int rank, (int Leaving, int Coming) waiting) =>
        _left.Check(waiting == default, Now, () => $"{waiting} packets wait at {_cube.Cube.Shape.At(rank)}.");

    private bool IsPlaceOf(TunnelDatagram sent, int rank) =>
        sent.To.Kind switch
        {
            TunnelEndKind.All => rank != sent.Via,
            TunnelEndKind.Bridged => rank == places.Bridge,
            TunnelEndKind.Beyond => places.Gateways.Contains(rank),
            _ => rank == sent.To.Number,
        };
}
