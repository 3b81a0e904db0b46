using CamCube.Runtime.Wire;

namespace CamCube.Runtime.Engine;

/// <summary>Frames of bytes on one side, packets of a server on the other. No input can make it throw or
/// leak.</summary>
internal sealed class FramePort(ServerRuntime server) : ILinkEvents
{
    private byte[]? _corrupted;

    public void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now)
    {
        DropReason fault = WireFormat.CheckFrame(frame, out int length);
        if (fault != DropReason.None || (uint)link >= Links.Cables)
        {
            server.Counters.Drop(fault == DropReason.None ? DropReason.Malformed : fault);
            return;
        }

        int at = WireFormat.FrameHeader;
        while (at < length)
        {
            try
            {
                TakePackets(link, frame[..length], ref at, now);
            }
            catch (Exception e)
            {
                // A service's fault is its own at once. What comes behind, in the frame and in the batch of the links,
                // is none the worse.
                if (!ServerLifecycle.TryContain(server, e))
                {
                    throw;
                }
            }
        }
    }

    public int Encode(Packet packet, Span<byte> frame)
    {
        CheckRoom(packet, frame);
        int length = WireFormat.Encode(packet, frame);
        server.Context.Pool.Free(packet, packet.OwnerWord);
        return length;
    }

    public int TryAppend(Packet packet, Span<byte> frame, int length)
    {
        int longer = WireFormat.TryAppend(packet, frame, length);
        if (longer > 0)
        {
            server.Context.Pool.Free(packet, packet.OwnerWord);
        }

        return longer;
    }

    public void FrameDropped(Link link, DropReason reason) => server.Counters.Drop(reason);

    public int EncodeCopy(Packet packet, Span<byte> frame)
    {
        CheckRoom(packet, frame);
        int length = WireFormat.Encode(packet, frame);
        WireFormat.AddVirtualBytes(packet, frame);
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

    public Coordinate AddresseeOf(Link link, Packet packet)
    {
        if ((packet.Flags & PacketFlags.ChosenLinks) == 0)
        {
            Destination to = Destination.FromWire(packet.Route, (packet.Flags & PacketFlags.ToKey) != 0);
            Coordinate end = to.IsKey ? server.Router.View.RootOf(packet.Route, server.Coordinate) : to.Server;
            if (end != server.Coordinate && server.Context.Shape.Contains(end))
            {
                return end;
            }
        }

        return server.Context.Shape.Step(server.Coordinate, link);
    }

    public void Lose(Packet packet) => server.Context.Pool.Free(packet, packet.OwnerWord);

    public Packet Copy(Packet packet)
    {
        Packet copy = server.Context.Pool.Rent(packet.OwnerWord);
        copy.CopyFrom(packet);
        copy.IdWord = packet.IdWord;
        return copy;
    }

    public void Lend(Packet packet) =>
        packet.Move(packet.OwnerWord, OwnerWords.Make(PacketState.Runtime, OwnerWords.NoSlot, RankOf(packet)));

    public void TakeBack(Packet packet) =>
        packet.Move(packet.OwnerWord, OwnerWords.Make(PacketState.Wire, OwnerWords.NoSlot, RankOf(packet)));

    public bool Corrupt(Packet packet, ulong random)
    {
        int length = WireFormat.FrameLengthOf(packet);
        ulong bit = random % ((ulong)(length + packet.VirtualBytes) * 8);
        if (bit >= (ulong)length * 8)
        {
            return true;
        }

        Span<byte> frame = (_corrupted ??= new byte[WireFormat.MaxFrame + 1]).AsSpan(0, length);
        WireFormat.Encode(packet, frame);
        frame[(int)(bit >> 3)] ^= (byte)(1 << (int)(bit & 7));
        if (WireFormat.CheckFrame(frame, out int end) != DropReason.None)
        {
            return false;
        }

        ReadOnlySpan<byte> bytes = frame[WireFormat.FrameHeader..end];
        int n = WireFormat.PacketLengthAt(bytes);
        if (n == 0 || !server.IsWireSource(bytes[..n]))
        {
            return false;
        }

        // The body may be shared with copies that took other links: this one gets its own.
        PacketPool pool = server.Context.Pool;
        if (packet.Buffer is { } before)
        {
            pool.Release(before);
        }

        int body = WireFormat.BodyLengthOf(bytes[..n]);
        (packet.BodyOffset, packet.BodyBytes) = (0, body);
        packet.Buffer = body > 0 ? pool.RentBody(body) : null;
        WireFormat.Decode(bytes[..n], packet);
        return true;
    }

    private void TakePackets(Link link, ReadOnlySpan<byte> frame, ref int at, long now)
    {
        while (at < frame.Length)
        {
            ReadOnlySpan<byte> rest = frame[at..];
            int n = WireFormat.PacketLengthAt(rest);
            if (n == 0 || !server.IsWireSource(rest[..n]))
            {
                // What follows a broken packet cannot be told apart any more.
                at = frame.Length;
                server.Counters.Drop(DropReason.Malformed);
                return;
            }

            at += n;
            server.ArriveBytes(link, rest[..n], now);
        }
    }

    private static int RankOf(Packet packet) => (int)(packet.OwnerWord & 0xFFFFF);

    private static void CheckRoom(Packet packet, Span<byte> frame)
    {
        if (frame.Length < WireFormat.FrameLengthOf(packet))
        {
            throw new ArgumentException(
                $"A frame of {WireFormat.FrameLengthOf(packet)} bytes does not fit into {frame.Length}.",
                nameof(frame)
            );
        }
    }
}
