using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Sending;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel;

/// <summary>
/// What is for all, or many, at a bridge: frames of machines behind it go to all servers, whole. There are no loops,
/// also if the machine of a second server is in a bridge with the same network: then what a card is given for all would
/// come in again at the other. A server of which frames come in at the bridge is not given out there, one at whose card
/// strange frames come in is given nothing for all, and what comes in twice goes to all once. Loop only; allocates
/// nothing per frame.
/// </summary>
internal sealed class BridgeFloods
{
    // What a machine sends to all comes in at the bridge, over the network there, before it comes over the cube.
    private const long HeardNanos = 1_000_000_000;
    private readonly IServer _server;
    private readonly TunnelAddresses _addresses;
    private readonly FrameCutter _cutter;
    private readonly FrameOutlet _outlet;
    private readonly Dependency<TunnelFloodService> _flood;
    private readonly TunnelCounters _counters;
    private readonly Coordinate? _bridge;
    private readonly EchoGuard? _echoes;
    private readonly long[] _heardNanos;
    private readonly long _strangeTime;
    private long? _strangeNanos;

    /// <summary>The floods of a server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings.</param>
    /// <param name="bridge">The server of the bridge; null: there is none.</param>
    /// <param name="addresses">The addresses of the cube.</param>
    /// <param name="cutter">Knows what fits into a packet.</param>
    /// <param name="outlet">Gives frames to the machine.</param>
    /// <param name="flood">Sends to all.</param>
    /// <param name="counters">Is told of each frame.</param>
    public BridgeFloods(
        IServer server,
        TunnelOptions options,
        Coordinate? bridge,
        TunnelAddresses addresses,
        FrameCutter cutter,
        FrameOutlet outlet,
        Dependency<TunnelFloodService> flood,
        TunnelCounters counters
    )
    {
        (_server, _bridge, _addresses, _cutter) = (server, bridge, addresses, cutter);
        (_outlet, _flood, _counters) = (outlet, flood, counters);
        _strangeTime = (long)options.BridgedTime.TotalNanoseconds;
        _echoes = IsOne ? new EchoGuard() : null;
        _heardNanos = IsOne ? new long[server.Shape.Count] : [];
        Array.Fill(_heardNanos, long.MinValue / 2);
    }

    /// <summary>Whether this machine's card is in a bridge, and the one that may be is another's.</summary>
    public bool IsSecond =>
        _bridge is { } at
        && at != _server.Coordinate
        && _strangeNanos is { } nanos
        && _server.NowNanos - nanos <= _strangeTime;

    private bool IsOne => _bridge == _server.Coordinate;

    /// <summary>Whether the body of a packet for all is a whole frame, virtio header first: those of IP begin with
    /// their version.</summary>
    public static bool IsWhole(ReadOnlySpan<byte> body) => body.Length > 0 && body[0] >> 4 is not (4 or 6);

    /// <summary>A frame came out of the machine that is not from its own Ethernet address. What is for all says that
    /// a network is behind the card; what is for one, somebody may just have made up.</summary>
    public void Heard(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<byte> ethernet = bytes[VirtioHeader.Length..];
        ulong from = TunnelAddresses.ReadEthernet(ethernet[TunnelAddresses.EthernetLength..]);
        if (!GroupAddress.IsGroup(TunnelAddresses.ReadEthernet(ethernet)))
        {
            return;
        }

        if (!IsOne)
        {
            _strangeNanos = _server.NowNanos;
        }
        else if (_addresses.TryFindEthernet(from, out Coordinate server))
        {
            _heardNanos[_server.Shape.RankOf(server)] = _server.NowNanos;
        }
    }

    /// <summary>A frame of a machine behind the bridge, for all or many. It may be written over.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="bytes">The same, virtio header first.</param>
    public void Take(in CardFrame frame, Span<byte> bytes)
    {
        // An unfinished checksum would be one of a packet that is elsewhere by then.
        VirtioHeader virtio = MemoryMarshal.Read<VirtioHeader>(bytes);
        int length = EtherTypes.CardLength + frame.View.Bytes.Length;
        if (!IsForMany(frame) || !_flood.IsAvailable)
        {
            _counters.Foreign.Add();
        }
        else if (virtio.SegmentKind != 0)
        {
            _counters.Malformed.Add();
        }
        else if (length > _cutter.Room)
        {
            _counters.TooLong.Add();
        }
        else
        {
            Span<byte> whole = bytes[..length];
            if ((virtio.Flags & VirtioHeader.NeedsSum) != 0)
            {
                InternetSum.Finish(whole[(virtio.SumStart + VirtioHeader.Length)..], virtio.SumOffset);
            }

            whole[..VirtioHeader.Length].Clear();
            if (_echoes!.IsEcho(TunnelSum.Of(0, 0, whole), _server.NowNanos))
            {
                _counters.Echoed.Add();
                return;
            }

            _counters.BridgedIn.Add();
            _counters.Flooded.Add();
            _flood.Value.SendOfBridge(whole);
        }
    }

    /// <summary>Whether a whole frame for all may come from a server, as far as it says by itself.</summary>
    /// <param name="source">The server.</param>
    /// <param name="bytes">The frame, virtio header first.</param>
    /// <param name="frame">The frame, if it is one.</param>
    public bool IsRight(Coordinate source, ReadOnlySpan<byte> bytes, out CardFrame frame) =>
        CardFrame.TryRead(bytes, out frame)
        && source == _bridge
        && !bytes[..VirtioHeader.Length].ContainsAnyExcept((byte)0)
        && IsForMany(frame)
        && bytes.Length == EtherTypes.CardLength + frame.View.Bytes.Length;

    /// <summary>Gives the machine a whole frame that was found right.</summary>
    public void Deliver(Coordinate source, ReadOnlySpan<byte> bytes)
    {
        if (MayGive(source))
        {
            _outlet.Flush();
            _outlet.Write(bytes);
        }
    }

    /// <summary>Whether the machine may be given what is for all, or many, of a server. If not it is counted.</summary>
    public bool MayGive(Coordinate source)
    {
        bool isHeard = IsOne && _server.NowNanos - _heardNanos[_server.Shape.RankOf(source)] <= HeardNanos;
        if (isHeard || IsSecond)
        {
            _counters.Withheld.Add();
            return false;
        }

        return true;
    }

    private bool IsForMany(in CardFrame frame) =>
        frame.EtherType != EtherTypes.Arp && !frame.IsQuestion && GroupAddress.Of(frame.View, _addresses) == frame.To;
}
