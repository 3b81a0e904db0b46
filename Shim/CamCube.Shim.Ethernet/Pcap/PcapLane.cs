using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Ports;
using SharpPcap;
using SharpPcap.LibPcap;

namespace CamCube.Shim.Ethernet.Pcap;

/// <summary>One open pcap: frames of our EtherType that come in on one interface, at once and without
/// waiting.</summary>
internal sealed unsafe class PcapLane : IDisposable
{
    private const int BatchesPerQuestion = 16;

    // struct pcap_pkthdr begins with a timeval: two longs, which are 32 bits on Windows.
    private static readonly int LengthOffset = OperatingSystem.IsWindows() ? 8 : 2 * sizeof(nint);
    private readonly LibPcapLiveDevice _device;
    private int _fullBatches;
    private GrowingCount _drops;

    private PcapLane(LibPcapLiveDevice device) => (_device, Handle) = (device, device.Handle);

    /// <summary>Frames of our EtherType, in whatever VLAN: a filter cannot tell a tag that is a priority only from
    /// others, <see cref="EthernetHeader.LengthIn"/> can. (<c>vlan</c> moves where all that follows it
    /// looks.)</summary>
    public static string Ours { get; } =
        $"ether proto 0x{EthernetHeader.EtherType:x} or (vlan and ether proto 0x{EthernetHeader.EtherType:x})";

    /// <summary>All others, and those of our EtherType with a tag.</summary>
    public static string Foreign { get; } = $"not ether proto 0x{EthernetHeader.EtherType:x} or vlan";

    /// <summary>The pcap_t.</summary>
    public PcapHandle Handle { get; }

    /// <summary>Whether somebody should ask for drops though no frame came.</summary>
    public bool MayHaveDropped => _fullBatches > 0;

    /// <summary>Opens an interface. Answers one line for people if that fails.</summary>
    /// <param name="name">Name for people.</param>
    /// <param name="device">Name for pcap.</param>
    /// <param name="length">Bytes of a frame that are kept.</param>
    /// <param name="buffer">Bytes of receive buffer.</param>
    /// <param name="filter">Which frames: <see cref="Ours"/> or <see cref="Foreign"/>.</param>
    /// <param name="lane">The lane.</param>
    public static string? Open(string name, string device, int length, int buffer, string filter, out PcapLane? lane)
    {
        lane = null;
        LibPcapLiveDevice? opened = null;
        try
        {
            if (PcapInterface.GetAllPcapInterfaces().FirstOrDefault(one => one.Name == device) is not { } found)
            {
                return $"interface {name} cannot be opened by pcap: it knows no {device}.";
            }

            // The time-out does not matter: immediate mode and no waiting.
            opened = new LibPcapLiveDevice(found);
            opened.Open(
                new DeviceConfiguration
                {
                    Snaplen = length,
                    Mode = DeviceModes.None,
                    ReadTimeout = 1,
                    BufferSize = buffer,
                    Immediate = true,
                }
            );
            opened.NonBlockingMode = true;

            // Frames that go out are not shown where the system can tell; the others are told apart by their source. A
            // filter that asks for what comes in would lose the first frame.
            PcapCalls.SetDirection(opened.Handle, PcapCalls.DirectionIn);
            opened.Filter = filter;
            lane = new PcapLane(opened);
            return null;
        }
        catch (PcapException e)
        {
            string fault = Explain(opened, e);
            opened?.Dispose();
            return e.Error is PcapError.PermissionDenied or PcapError.PromiscuousPermissionDenied
                ? PcapNeedsRights(fault)
                : $"interface {name} cannot be opened by pcap: {fault}.";
        }
    }

    /// <summary>The next frame, valid until the next call. False: none is there now.</summary>
    public bool TryNext(out ReadOnlySpan<byte> frame, out bool wasCut)
    {
        // Pointers only: a packet of SharpPcap's own is an object, and its other call sleeps.
        nint header = 0,
            bytes = 0;
        if (_device.GetNextPacketPointers(ref header, ref bytes) != 1)
        {
            frame = default;
            wasCut = false;
            return false;
        }

        byte* lengths = (byte*)header + LengthOffset;
        uint captured = Unsafe.ReadUnaligned<uint>(lengths),
            length = Unsafe.ReadUnaligned<uint>(lengths + 4);
        frame = new ReadOnlySpan<byte>((void*)bytes, (int)captured);
        wasCut = captured != length;
        return true;
    }

    /// <summary>Sends one frame. Answers an error number of the system.</summary>
    public int Send(ReadOnlySpan<byte> frame)
    {
        fixed (byte* bytes = frame)
        {
            return PcapCalls.Send(Handle, bytes, frame.Length) == 0 ? 0 : Math.Max(Marshal.GetLastPInvokeError(), 1);
        }
    }

    /// <summary>Frames that found no room, if it is time to ask.</summary>
    public uint TakeDrops(bool wasFull)
    {
        _fullBatches += wasFull ? 1 : 0;
        if (_fullBatches == 0 || (wasFull && _fullBatches < BatchesPerQuestion))
        {
            return 0;
        }

        _fullBatches = 0;
        return TakeDrops();
    }

    /// <summary>Frames that found no room, since the last question.</summary>
    public uint TakeDrops()
    {
        // struct pcap_stat: received, dropped, dropped by the interface; Windows has more behind them.
        uint* statistics = stackalloc uint[8];
        return _drops.Take(PcapCalls.Statistics(Handle, statistics) == 0 ? statistics[1] : null);
    }

    public void Dispose() => _device.Dispose();

    private static string Explain(LibPcapLiveDevice? device, PcapException failure)
    {
        string more = device is { Opened: true } ? Text(PcapCalls.GetError(device.Handle)) : "";
        if (failure.Error == PcapError.Generic)
        {
            return more.Length > 0 ? more : failure.Message.TrimEnd('.');
        }

        string text = Text(PcapCalls.StatusText((int)failure.Error));
        return more.Length == 0 || failure.Error == PcapError.InterfaceNotUp ? text : $"{text} ({more})";
    }

    private static string PcapNeedsRights(string fault) =>
        OperatingSystem.IsLinux() ? PacketSockets.NeedsCapability
        : OperatingSystem.IsWindows()
            ? $"pcap may not open interfaces ({fault}): start the process as administrator, "
                + $"or install Npcap without the restriction to administrators."
        : $"pcap may not open interfaces ({fault}): start the process as root, or give its user access to /dev/bpf*.";

    private static string Text(byte* text) => Marshal.PtrToStringUTF8((nint)text)?.Trim() ?? "";
}
