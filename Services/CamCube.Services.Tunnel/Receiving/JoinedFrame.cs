using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Receiving;

/// <summary>A frame of which pieces have come. Loop only.</summary>
internal sealed class JoinedFrame
{
    private readonly byte[] _bytes = new byte[ushort.MaxValue + EtherTypes.CardLength];
    private TunnelHeader _header;
    private uint _next;
    private int _length;

    /// <summary>Who sends it.</summary>
    public Coordinate Source { get; private set; }

    /// <summary>The header of its first piece; the flags say also what happened to later ones on their way.</summary>
    public ref readonly TunnelHeader Header => ref _header;

    /// <summary>What has come.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>Pieces that have come.</summary>
    public int Pieces { get; private set; }

    /// <summary>When the last of them came.</summary>
    public long SinceNanos { get; private set; }

    /// <summary>Begins anew with a first piece.</summary>
    public void Begin(Packet packet, long nowNanos)
    {
        (_header, Source, _length, Pieces) = (packet.Header<TunnelHeader>(), packet.Source, 0, 0);
        _next = _header.Sequence;
        Take(packet, nowNanos);
    }

    /// <summary>Whether a packet is of the same lane.</summary>
    public bool IsOnLaneOf(Packet packet) =>
        packet.Header<TunnelHeader>().Lane == _header.Lane && packet.Source == Source;

    /// <summary>How far a packet of its lane is ahead of the piece that is to come next; below 0: it comes late, and
    /// says nothing.</summary>
    public int AheadOf(in TunnelHeader header) =>
        header.Run == _header.Run ? (int)(header.Sequence - _next) : int.MaxValue;

    /// <summary>Adds the next piece. False: so long is no frame.</summary>
    public bool Take(Packet packet, long nowNanos)
    {
        if (packet.BodyLength > _bytes.Length - _length)
        {
            return false;
        }

        packet.Body.CopyTo(_bytes.AsSpan(_length));
        _length += packet.BodyLength;
        _header.Flags |= packet.Header<TunnelHeader>().Flags & TunnelFlags.Congested;
        SinceNanos = nowNanos;
        Pieces++;
        _next++;
        return true;
    }
}
