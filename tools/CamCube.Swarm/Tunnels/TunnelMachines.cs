using CamCube.Services.Tunnel;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Tunnels;

/// <summary>The machines of the servers of a swarm run, with their cards, and the tunnels that have these.</summary>
/// <param name="shape">Of the cube.</param>
/// <param name="ledger">Is told of what is sent and received.</param>
internal sealed class TunnelMachines(TorusShape shape, TunnelLedger ledger)
{
    private readonly SwarmCard[] _cards = [.. Enumerable.Range(0, shape.Count).Select(static _ => new SwarmCard())];
    private readonly TunnelService?[] _tunnels = new TunnelService?[shape.Count];
    private readonly int[] _instances = new int[shape.Count];
    private SwarmCube? _cube;
    private int _started;

    /// <summary>How many.</summary>
    public int Count => shape.Count;

    /// <summary>What is sent and received.</summary>
    public TunnelLedger Ledger => ledger;

    /// <summary>Is given each datagram that comes out of a card, and the rank of its server.</summary>
    public Action<int, TunnelDatagram>? CameOut { get; set; }

    /// <summary>The tunnel of a server that has, or had, one.</summary>
    public TunnelService this[int rank] => _tunnels[rank]!;

    /// <summary>The card of a server.</summary>
    public SwarmCard CardOf(int rank) => _cards[rank];

    /// <summary>The number of the tunnel of a server, among all that there were.</summary>
    public int InstanceOf(int rank) => _instances[rank];

    /// <summary>The cube stands.</summary>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        for (int rank = 0; rank < _cards.Length; rank++)
        {
            int at = rank;
            _cards[rank].Received = frame =>
            {
                if (ledger.Received(at, _instances[at], _tunnels[at]!, frame) is { } datagram)
                {
                    CameOut?.Invoke(at, datagram);
                }
            };
        }
    }

    /// <summary>A server has a new tunnel.</summary>
    public TunnelService Started(int rank, Func<SwarmCard, TunnelService> tunnel)
    {
        _instances[rank] = ++_started;
        _cards[rank].Lose();
        return _tunnels[rank] = tunnel(_cards[rank]);
    }

    /// <summary>Whether a machine can send now.</summary>
    public bool IsThere(int rank) => _cube!.Truth.Runs(rank) && !_cube.Cube.IsPaused(rank) && _cards[rank].IsOpen;

    /// <summary>Whether two servers are there, and reach each other.</summary>
    public bool Reaches(int from, int to) =>
        IsThere(from) && IsThere(to) && _cube!.Truth.ComponentOf(from) == _cube.Truth.ComponentOf(to);

    /// <summary>A machine sends a datagram by the card of a server that is there.</summary>
    public TunnelDatagram Send(TunnelEnd from, int via, TunnelEnd to, ushort flow, int length)
    {
        TunnelDatagram datagram = ledger.Begin(from, via, _instances[via], to, flow, length);
        Send(via, datagram.ToFrame(_tunnels[via]!.Addresses, shape));
        return datagram;
    }

    /// <summary>A frame, virtio header first, is sent by the card of a server that is there.</summary>
    public void Send(int via, byte[] frame)
    {
        SwarmCard card = _cards[via];
        _cube!
            .Cube.ServerOf<TunnelService>(via)
            .Loop.Run(() =>
            {
                card.Send(frame);
                return ValueTask.CompletedTask;
            });
    }

    /// <summary>A length: all of what may be, the ends more often; for all only what fits into one packet.</summary>
    public int DrawLength(Random random, bool isForAll = false)
    {
        TunnelService tunnel = _tunnels.First(static t => t is not null)!;
        int most = (isForAll ? Math.Min(tunnel.Mtu, tunnel.Room) : tunnel.Mtu) - TunnelDatagram.Around;
        return random.Next(8) switch
        {
            0 => most,
            1 => 0,
            _ => random.Next(most + 1),
        };
    }
}
