using CamCube.Services.Tunnel;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Tunnels;

/// <summary>
/// Machines that are not in the cube of a swarm run: behind its bridge, and in networks to which its gateways lead.
/// They and the machines of servers send each other datagrams; some of them pass for others, and some frames come in,
/// or come back, where they must not. In some runs the card of a second server is in a bridge to the same network:
/// what is for all and comes out of one card comes in at the other.
/// </summary>
internal sealed class TunnelOutside
{
    // Fewer than the fewest places for them, so that none of them has to wait for one.
    private const int MostKnown = 6;
    private const int MadeUp = 1_000;
    private const int MostPairs = 100;
    private const int Flows = 4;
    private const ushort HelloFlow = 99;

    // What comes round later than this may go round once more: a server remembers a second.
    private const long RoundNanos = 900_000_000;
    private readonly Random _random;
    private readonly TunnelMachines _machines;
    private readonly int _known;
    private readonly int _pauseMillis;
    private readonly int _bridgedMachines;
    private readonly TimeSpan _bridgedTime;
    private readonly Dictionary<uint, (long Nanos, int Instance)> _sentToAll = [];
    private readonly Queue<(int Rank, TunnelDatagram Datagram)> _goingRound = [];
    private SwarmCube? _cube;
    private bool _isEnding;

    /// <summary>What is there follows from the seed; from a stream of its own, so that other runs stay what they are.
    /// </summary>
    public TunnelOutside(SwarmOptions options, TunnelPlaces places, TunnelMachines machines)
    {
        (Places, _machines) = (places, machines);
        _random = SwarmRandom.Of(options.Seed, "tunnel outside");
        _known = _random.Next(1, MostKnown + 1);
        _pauseMillis = _random.Next(1, 6);
        _bridgedMachines = _random.Next(16, 200);
        _bridgedTime = TimeSpan.FromMilliseconds(_random.Next(1_000, 20_000));
    }

    /// <summary>Where it is.</summary>
    public TunnelPlaces Places { get; }

    private TorusShape Shape => _cube!.Cube.Shape;

    /// <summary>Writes it into the settings of all servers.</summary>
    public void AddTo(TunnelOptions options, TorusShape shape)
    {
        options.Bridge = $"{shape.At(Places.Bridge)}";
        options.Gateways = [.. Places.Gateways.Select(rank => $"{shape.At(rank)}")];
        (options.BridgedMachines, options.BridgedTime) = (_bridgedMachines, _bridgedTime);
    }

    /// <summary>The cube stands.</summary>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        _machines.CameOut = CameOut;
    }

    /// <summary>What came out of one bridge comes in by the other.</summary>
    /// <param name="isEnding">Whether all has been well for long.</param>
    public void GoRound(bool isEnding)
    {
        _isEnding = isEnding;
        while (_goingRound.TryDequeue(out (int Rank, TunnelDatagram Datagram) next))
        {
            if (_machines.IsThere(next.Rank))
            {
                _machines.Ledger.Tally.Add("tunnel went round by a second bridge");
                SendCopy(next.Rank, next.Datagram);
            }
        }
    }

    /// <summary>Sends a datagram to all. Those of machines at or behind a bridge come in by both.</summary>
    public TunnelDatagram SendToAll(TunnelEnd from, int via, ushort flow, int length)
    {
        TunnelDatagram datagram = _machines.Send(from, via, TunnelEnd.All, flow, length);
        (int bridge, int second) = (Places.Bridge, Places.Second);
        if (second < 0 || !_machines.IsThere(bridge) || !_machines.IsThere(second))
        {
            return datagram;
        }

        _sentToAll[datagram.Number] = (_cube!.Cube.NowNanos, _machines.InstanceOf(bridge));
        if (via == bridge || via == second)
        {
            SendCopy(bridge + second - via, datagram);
        }

        return datagram;
    }

    /// <summary>Whether a machine need not have what is for all: it has it from the network that it is bridged with.
    /// </summary>
    public bool HasByItself(TunnelDatagram sent, int rank) =>
        Places.Second >= 0 && (rank == Places.Second || (rank == Places.Bridge && sent.Via == Places.Second));

    /// <summary>Sends something, now and then.</summary>
    public void Act()
    {
        if (_random.Next(_pauseMillis) != 0)
        {
            return;
        }

        int server = _random.Next(_machines.Count),
            count = _random.Next(20) == 0 ? _random.Next(300) : _random.Next(1, 8);
        ushort flow = (ushort)_random.Next(Flows);
        TunnelEnd known = TunnelEnd.Bridged(_random.Next(_known)),
            beyond = TunnelEnd.Beyond(_random.Next(_known));
        switch (_random.Next(9))
        {
            case 0 or 1:
                SendSome(known, Places.Bridge, TunnelEnd.Of(server), flow, count);
                break;
            case 2 or 3:
                SendSome(TunnelEnd.Of(server), server, known, flow, count);
                break;
            case 4:
                SendSome(TunnelEnd.Of(server), server, beyond, flow, count);
                break;
            case 5:
                int gateway = Places.Gateways[_random.Next(Places.Gateways.Count)];
                SendSome(beyond, gateway, TunnelEnd.Of(server), flow, count);
                break;
            case 6:
                // A crowd that is seen once and never again.
                TunnelEnd madeUp = TunnelEnd.Bridged(MadeUp + _random.Next(MadeUp));
                SendSome(madeUp, Places.Bridge, TunnelEnd.Of(server), flow, count: 1);
                break;
            case 7:
                if (_machines.IsThere(Places.Bridge))
                {
                    SendToAll(known, Places.Bridge, flow, _machines.DrawLength(_random, isForAll: true) / 2);
                    _machines.Ledger.Tally.Add("tunnel sent from Bridged to All");
                }

                break;
            default:
                SendWhatMustNotCome(server, known, beyond, flow);
                break;
        }
    }

    /// <summary>Those of which one must reach the other at the end.</summary>
    public IEnumerable<TunnelPair> DrawPairs()
    {
        for (int i = 0; i < MostPairs; i++)
        {
            int server = _random.Next(_machines.Count),
                gateway = Places.Gateways[_random.Next(Places.Gateways.Count)];
            TunnelEnd own = TunnelEnd.Of(server),
                known = TunnelEnd.Bridged(_random.Next(_known)),
                beyond = TunnelEnd.Beyond(_random.Next(_known));
            if (server != Places.Bridge && _machines.Reaches(server, Places.Bridge))
            {
                yield return new TunnelPair(known, Places.Bridge, own, server);
                yield return new TunnelPair(own, server, known, Places.Bridge);
            }

            if (i % 16 == 0 && _machines.IsThere(Places.Bridge))
            {
                yield return new TunnelPair(known, Places.Bridge, TunnelEnd.All, At: -1);
            }

            if (server != gateway && _machines.Reaches(server, gateway))
            {
                yield return new TunnelPair(beyond, gateway, own, server);
            }

            int nearest = _machines.IsThere(server) ? Places.NearestTo(server, _cube!) : -1;
            if (!Places.Gateways.Contains(server) && nearest >= 0)
            {
                yield return new TunnelPair(own, server, beyond, nearest);
            }
        }
    }

    /// <summary>A machine behind the bridge is heard of again, before something is sent to it.</summary>
    public void Greet(TunnelPair pair)
    {
        if (pair.To.Kind == TunnelEndKind.Bridged)
        {
            SendSome(pair.To, pair.At, pair.From, HelloFlow, count: 1);
        }
    }

    private void SendSome(TunnelEnd from, int via, TunnelEnd to, ushort flow, int count)
    {
        // A machine and that of the server by which it comes in have no cube between them, and a gateway passes on
        // what is for other networks by itself.
        bool isHere =
            to == TunnelEnd.Of(via)
            || (to.Kind == TunnelEndKind.Bridged && via == Places.Bridge)
            || (to.Kind == TunnelEndKind.Beyond && Places.Gateways.Contains(via));
        for (int i = 0; i < count && !isHere && _machines.IsThere(via); i++)
        {
            _ = _machines.Send(from, via, to, flow, _machines.DrawLength(_random));
            _machines.Ledger.Tally.Add($"tunnel sent from {from.Kind} to {to.Kind}");
        }
    }

    // Between two behind the bridge, who would have it twice; from one of them at another server, as a second bridge
    // to their network would bring it; from a machine in the cube, as a loop in that network would; from other networks
    // where there is no gateway.
    private void SendWhatMustNotCome(int server, TunnelEnd known, TunnelEnd beyond, ushort flow)
    {
        int other = (server + 1) % _machines.Count;
        (TunnelEnd from, int via, TunnelEnd to) = _random.Next(4) switch
        {
            0 => (known, Places.Bridge, TunnelEnd.Bridged(_random.Next(MostKnown))),
            1 => (known, server, TunnelEnd.Of(other)),
            2 => (TunnelEnd.Of(server), Places.Bridge, TunnelEnd.Of(other)),
            _ => (beyond, server, TunnelEnd.Of(other)),
        };
        bool isRight =
            (from.Kind == TunnelEndKind.Bridged && via == Places.Bridge && to.Kind == TunnelEndKind.Server)
            || from == TunnelEnd.Of(via)
            || (from.Kind == TunnelEndKind.Beyond && Places.Gateways.Contains(via));
        if (!isRight && _machines.IsThere(via))
        {
            TunnelDatagram datagram = _machines.Send(from, via, to, flow, _machines.DrawLength(_random));
            _machines.Ledger.MustNotCome(datagram);
        }
    }

    private void SendCopy(int via, TunnelDatagram datagram) =>
        _machines.Send(via, datagram.ToFrame(_machines[via].Addresses, Shape));

    private void CameOut(int rank, TunnelDatagram sent)
    {
        (int bridge, int second) = (Places.Bridge, Places.Second);
        if (second < 0 || sent.To.Kind != TunnelEndKind.All || (rank != bridge && rank != second))
        {
            return;
        }

        if (_isEnding && rank == second && sent.From.Kind == TunnelEndKind.Bridged)
        {
            _machines.Ledger.CameBack(sent);
        }

        // A server of the bridge that is another run now remembers nothing.
        bool isRemembered =
            _sentToAll.TryGetValue(sent.Number, out (long Nanos, int Instance) known)
            && known.Instance == _machines.InstanceOf(bridge)
            && _cube!.Cube.NowNanos - known.Nanos < RoundNanos;
        if (isRemembered)
        {
            _goingRound.Enqueue((bridge + second - rank, sent));
        }
    }
}
