using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Names;
using CamCube.Services.Tunnel.Sending;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel;

/// <summary>
/// Takes the frames of the machine: what asks for an address or a name is answered at home, what is for a server waits
/// in its queue, what is for all goes to the service that has it, and all else is a counted drop. Loop only; allocates
/// nothing per frame.
/// </summary>
internal sealed class FrameInlet
{
    private readonly IServer _server;
    private readonly Dependency<TunnelFloodService> _flood;
    private readonly TunnelCounters _counters;
    private readonly TunnelAddresses _addresses;
    private readonly FrameCutter _cutter;
    private readonly GatewayChoice _gateways;
    private readonly FrameOutlet _outlet;
    private readonly BridgePort _bridge;
    private readonly NeighbourAnswers _neighbours;
    private readonly UnreachableNotes _notes;
    private readonly NameAnswers _names;
    private readonly ulong _ethernet;
    private PerSecond _toldAllowed;

    /// <summary>The inlet of a server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings.</param>
    /// <param name="addresses">The addresses of the cube.</param>
    /// <param name="cutter">Queues what is for a server.</param>
    /// <param name="gateways">Whose machines pass packets on.</param>
    /// <param name="outlet">Gives answers to the machine.</param>
    /// <param name="bridge">Has what is for, and from, machines that are not in the cube.</param>
    /// <param name="flood">Sends to all.</param>
    /// <param name="counters">Is told of each frame.</param>
    public FrameInlet(
        IServer server,
        TunnelOptions options,
        TunnelAddresses addresses,
        FrameCutter cutter,
        GatewayChoice gateways,
        FrameOutlet outlet,
        BridgePort bridge,
        Dependency<TunnelFloodService> flood,
        TunnelCounters counters
    )
    {
        (_server, _addresses, _cutter, _outlet) = (server, addresses, cutter, outlet);
        (_flood, _counters, _gateways, _bridge) = (flood, counters, gateways, bridge);
        _ethernet = addresses.EthernetOf(server.Coordinate);
        _neighbours = new NeighbourAnswers(addresses, server.Coordinate);
        _names = new NameAnswers(addresses, server.Shape, server.Coordinate);
        _notes = new UnreachableNotes(addresses, server.Coordinate);
        _toldAllowed = new PerSecond(options.UnreachablePerSecond);
    }

    /// <summary>Takes a frame, virtio header first. It may be written over.</summary>
    public void Take(Span<byte> bytes)
    {
        if (bytes.Length < VirtioHeader.Length + EtherTypes.HeaderLength)
        {
            _counters.Malformed.Add();
            return;
        }

        VirtioHeader virtio = MemoryMarshal.Read<VirtioHeader>(bytes);
        Span<byte> frame = bytes[VirtioHeader.Length..];
        ulong to = TunnelAddresses.ReadEthernet(frame);
        ushort etherType = BinaryPrimitives.ReadUInt16BigEndian(frame[12..]);
        Span<byte> payload = frame[EtherTypes.HeaderLength..];
        if (TunnelAddresses.ReadEthernet(frame[6..]) != _ethernet)
        {
            _bridge.TakeIn(bytes);
        }
        else if (NeighbourAnswers.IsQuestion(etherType, payload))
        {
            Answer(etherType, bytes);
        }
        else if (_bridge.IsAnother && TunnelAddresses.IsStrangeEthernet(to))
        {
            Leave(etherType, bytes);
        }
        else if (GroupAddress.IsGroup(to))
        {
            Flood(to, etherType, payload, virtio);
        }
        else if (to == TunnelAddresses.ResolverEthernet)
        {
            Resolve(etherType, payload);
        }
        else if (to == TunnelAddresses.GatewayEthernet && _gateways.IsAnother)
        {
            SendBeyond(etherType, payload, virtio);
        }
        else if (!_addresses.TryFindEthernet(to, out Coordinate server) || server == _server.Coordinate)
        {
            _counters.Foreign.Add();
        }
        else if (IsOwn(etherType, payload, out InternetView view))
        {
            Send(server, etherType, view, virtio);
        }
    }

    private bool IsOwn(ushort etherType, ReadOnlySpan<byte> payload, out InternetView view)
    {
        if (!InternetView.TryRead(etherType, payload, out view))
        {
            _counters.Malformed.Add();
            return false;
        }

        if (!_gateways.MaySend(_server.Coordinate, view, _addresses))
        {
            _counters.Spoofed.Add();
            return false;
        }

        return true;
    }

    private void SendBeyond(ushort etherType, ReadOnlySpan<byte> payload, in VirtioHeader virtio)
    {
        if (!IsOwn(etherType, payload, out InternetView view))
        {
            return;
        }

        if (!view.IsToBeyond(_addresses))
        {
            _counters.Foreign.Add();
        }
        else if (_gateways.TryFind(out Coordinate gateway))
        {
            _counters.Beyond.Add();
            Send(gateway, etherType, view, virtio);
        }
        else
        {
            _counters.Unreachable.Add();
            Tell(view);
        }
    }

    private void Send(Coordinate to, ushort etherType, in InternetView view, in VirtioHeader virtio)
    {
        if (!_server.Topology.IsReachable(to))
        {
            _counters.Unreachable.Add();
            Tell(view);
        }
        else
        {
            _cutter.Queue(to, etherType, view, virtio);
        }
    }

    private void Flood(ulong to, ushort etherType, Span<byte> payload, in VirtioHeader virtio)
    {
        // What switches say to each other, and all that is not IP, stays at home.
        if (etherType is not (EtherTypes.Internet4 or EtherTypes.Internet6) || !_flood.IsAvailable)
        {
            _counters.Foreign.Add();
            return;
        }

        if (!IsOwn(etherType, payload, out InternetView view))
        {
            return;
        }

        int start = virtio.SumStart - EtherTypes.HeaderLength;
        bool isPartial = (virtio.Flags & VirtioHeader.NeedsSum) != 0;
        if (
            GroupAddress.Of(view, _addresses) != to
            || virtio.SegmentKind != 0
            || (isPartial && !view.HasSum(start, virtio.SumOffset))
        )
        {
            _counters.Malformed.Add();
        }
        else if (view.Bytes.Length > _cutter.Room)
        {
            _counters.TooLong.Add();
        }
        else
        {
            Span<byte> packet = payload[..view.Bytes.Length];
            if (isPartial)
            {
                InternetSum.Finish(packet[start..], virtio.SumOffset);
            }

            _counters.Flooded.Add();
            _flood.Value.Send(packet);
        }
    }

    private void Resolve(ushort etherType, ReadOnlySpan<byte> payload)
    {
        if (!IsOwn(etherType, payload, out InternetView view))
        {
            return;
        }

        Span<byte> answer = stackalloc byte[VirtioHeader.Length + NameAnswers.MostBytes];
        answer[..VirtioHeader.Length].Clear();
        int length = _names.Answer(view, answer[VirtioHeader.Length..]);
        if (length == 0)
        {
            _counters.NoQuestion.Add();
            return;
        }

        _counters.Resolved.Add();
        _outlet.Write(answer[..(VirtioHeader.Length + length)]);
    }

    // At most so many in each second of server time.
    private void Tell(in InternetView view)
    {
        Span<byte> note = stackalloc byte[VirtioHeader.Length + UnreachableNotes.MostBytes];
        note[..VirtioHeader.Length].Clear();
        int length = _notes.Write(view, note[VirtioHeader.Length..]);
        if (length > 0 && _toldAllowed.TryTake(_server.NowNanos))
        {
            _counters.Told.Add();
            _outlet.Write(note[..(VirtioHeader.Length + length)]);
        }
    }

    // For a machine behind the bridge of another server.
    private void Leave(ushort etherType, ReadOnlySpan<byte> bytes)
    {
        if (!IsOwn(etherType, bytes[EtherTypes.CardLength..], out InternetView view))
        {
            return;
        }

        if (!_bridge.IsReachable)
        {
            _counters.Unreachable.Add();
            Tell(view);
        }
        else if (!_bridge.TrySend(bytes))
        {
            _counters.Malformed.Add();
        }
    }

    // What nobody in the cube has may be behind the bridge.
    private void Answer(ushort etherType, ReadOnlySpan<byte> bytes)
    {
        Span<byte> answer = stackalloc byte[VirtioHeader.Length + NeighbourAnswers.MostBytes];
        answer.Clear();
        ReadOnlySpan<byte> payload = bytes[EtherTypes.CardLength..];
        int length = _neighbours.Answer(_ethernet, etherType, payload, answer[VirtioHeader.Length..]);
        if (length > 0)
        {
            _counters.Answered.Add();
            _outlet.Write(answer[..(VirtioHeader.Length + length)]);
        }
        else
        {
            _bridge.TrySend(bytes);
        }
    }
}
