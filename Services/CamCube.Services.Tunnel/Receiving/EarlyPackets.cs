using System.Numerics;

namespace CamCube.Services.Tunnel.Receiving;

/// <summary>Packets that came before earlier ones, by their numbers: a ring that grows as far as they are ahead, once.
/// Loop only.</summary>
internal sealed class EarlyPackets
{
    private const int LeastPlaces = 16;
    private Packet?[] _packets = [];
    private long[] _cameNanos = [];

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>The packet of a number that is less than the ring's length ahead of the first; null: it is not
    /// here.</summary>
    public Packet? this[uint sequence] => Count > 0 ? _packets[Place(sequence)] : null;

    /// <summary>Whether one is here.</summary>
    /// <param name="sequence">Its number.</param>
    /// <param name="first">The least number that may be here.</param>
    public bool Contains(uint sequence, uint first) => sequence - first < _packets.Length && this[sequence] is not null;

    /// <summary>When it came.</summary>
    public long CameNanos(uint sequence) => _cameNanos[Place(sequence)];

    /// <summary>Adds one.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="sequence">Its number; it is not here.</param>
    /// <param name="first">The least number that may be here.</param>
    /// <param name="nowNanos">Server time.</param>
    public void Add(Packet packet, uint sequence, uint first, long nowNanos)
    {
        if (sequence - first >= _packets.Length)
        {
            Grow(sequence - first, first);
        }

        _packets[Place(sequence)] = packet;
        _cameNanos[Place(sequence)] = nowNanos;
        Count++;
    }

    /// <summary>Removes one that is here.</summary>
    public void Remove(uint sequence)
    {
        _packets[Place(sequence)] = null;
        Count--;
    }

    private int Place(uint sequence) => (int)(sequence & (uint)(_packets.Length - 1));

    private void Grow(uint ahead, uint first)
    {
        (Packet?[] packets, long[] came) = (_packets, _cameNanos);
        int places = Math.Max(LeastPlaces, (int)BitOperations.RoundUpToPowerOf2(ahead + 1));
        (_packets, _cameNanos) = (new Packet?[places], new long[places]);
        for (int i = 0; i < packets.Length; i++)
        {
            uint sequence = first + (uint)i;
            int old = (int)(sequence & (uint)(packets.Length - 1));
            (_packets[Place(sequence)], _cameNanos[Place(sequence)]) = (packets[old], came[old]);
        }
    }
}
