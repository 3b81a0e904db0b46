using CamCube.Runtime.Engine;

namespace CamCube.Runtime.Wire;

/// <summary>Frames of bytes on one side, packets of a server on the other. No input can make it throw or leak.</summary>
internal sealed class FramePort(ServerRuntime server) : ILinkEvents
{
    public void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now)
    {
        DropReason fault = WireFormat.CheckFrame(frame, out int length);
        if (fault != DropReason.None || (uint)link >= Links.Cables)
        {
            server.Counters.Drop(fault == DropReason.None ? DropReason.Malformed : fault);
            return;
        }

        ReadOnlySpan<byte> rest = frame[WireFormat.FrameHeader..length];
        while (rest.Length > 0)
        {
            int n = WireFormat.PacketLengthAt(rest);
            if (n == 0 || !server.IsWireSource(rest[..n]))
            {
                // What follows a broken packet cannot be told apart any more.
                server.Counters.Drop(DropReason.Malformed);
                return;
            }

            server.ArriveBytes(link, rest[..n], now);
            rest = rest[n..];
        }
    }

    public int Encode(Packet packet, Span<byte> frame)
    {
        if (frame.Length < WireFormat.FrameLengthOf(packet))
        {
            throw new ArgumentException($"A frame of {WireFormat.FrameLengthOf(packet)} bytes does not fit into {frame.Length}.", nameof(frame));
        }

        int length = WireFormat.Encode(packet, frame);
        server.Context.Pool.Free(packet, packet.OwnerWord);
        return length;
    }

    public void LinkFree(Link link, long now) => server.Hot.Ref.Busy[(int)link] = now;

    public void LinkChanged(Link link, bool up, long now)
    {
        if (!up)
        {
            server.Counters.Links[(int)link].HeardNanos = long.MinValue;
        }
    }
}
