using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Sockets;

namespace CamCube.Shim.Ethernet;

/// <summary>One open pcap: frames of our EtherType that come in on one interface, at once and without waiting.</summary>
internal sealed unsafe class PcapLane : IDisposable
{
    private const int ErrorBytes = 256;
    private const int PermissionDenied = -8, PromiscuousDenied = -11, NotUp = -9;
    private const int BatchesPerQuestion = 16;

    // struct pcap_pkthdr begins with a timeval: two longs, which are 32 bits on Windows.
    private static readonly int LengthOffset = OperatingSystem.IsWindows() ? 8 : 2 * sizeof(nint);
    private int _fullBatches;
    private GrowingCount _drops;

    private PcapLane(PcapHandle handle) => Handle = handle;

    /// <summary>The pcap_t.</summary>
    public PcapHandle Handle { get; }

    /// <summary>Whether somebody should ask for drops though no frame came.</summary>
    public bool MayHaveDropped => _fullBatches > 0;

    /// <summary>Opens an interface. Answers one line for people if that fails.</summary>
    /// <param name="name">Name for people.</param>
    /// <param name="device">Name for pcap.</param>
    /// <param name="buffer">Bytes of receive buffer.</param>
    /// <param name="lane">The lane.</param>
    public static string? Open(string name, string device, int buffer, out PcapLane? lane)
    {
        byte* error = stackalloc byte[ErrorBytes];
        error[0] = 0;
        lane = null;
        PcapHandle handle = PcapCalls.Create(device, error);
        if (handle.IsInvalid)
        {
            return $"interface {name} cannot be opened by pcap: {Text(error)}.";
        }

        // The time-out does not matter: immediate mode and no waiting.
        PcapCalls.SetSnapLength(handle, EthernetHeader.LongestFrame + 1);
        PcapCalls.SetPromiscuous(handle, 0);
        PcapCalls.SetTimeout(handle, 1);
        PcapCalls.SetBuffer(handle, buffer);
        bool isImmediate = PcapLibrary.Has("pcap_set_immediate_mode") && PcapCalls.SetImmediate(handle, 1) == 0;
        int status = PcapCalls.Activate(handle);
        string? fault = status >= 0 ? SetUp(handle, error, isImmediate) : Explain(handle, status);
        if (fault is not null)
        {
            handle.Dispose();
            return status is PermissionDenied or PromiscuousDenied ? PcapNeedsRights(fault) : $"interface {name} cannot be opened by pcap: {fault}.";
        }

        lane = new PcapLane(handle);
        return null;
    }

    /// <summary>The next frame, valid until the next call. False: none is there now.</summary>
    public bool TryNext(out ReadOnlySpan<byte> frame, out bool wasCut)
    {
        byte* header;
        byte* bytes;
        if (PcapCalls.Next(Handle, &header, &bytes) != 1)
        {
            frame = default;
            wasCut = false;
            return false;
        }

        uint captured = Unsafe.ReadUnaligned<uint>(header + LengthOffset), length = Unsafe.ReadUnaligned<uint>(header + LengthOffset + 4);
        frame = new ReadOnlySpan<byte>(bytes, (int)captured);
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

        // struct pcap_stat: received, dropped, dropped by the interface; Windows has more behind them.
        uint* statistics = stackalloc uint[8];
        return _drops.Take(PcapCalls.Statistics(Handle, statistics) == 0 ? statistics[1] : null);
    }

    public void Dispose() => Handle.Dispose();

    private static string? SetUp(PcapHandle handle, byte* error, bool isImmediate)
    {
        if (!isImmediate && PcapLibrary.Has("pcap_setmintocopy"))
        {
            PcapCalls.SetLeastToCopy(handle, 0);
        }

        if (PcapCalls.SetNonBlocking(handle, 1, error) != 0)
        {
            return Text(error);
        }

        // Frames that go out are not shown where the system can tell; the others are told apart by their source.
        PcapCalls.SetDirection(handle, PcapCalls.DirectionIn);
        PcapCalls.FilterProgram program;
        if (PcapCalls.Compile(handle, &program, $"ether proto 0x{EthernetHeader.EtherType:x}", 1, 0) != 0)
        {
            return Text(PcapCalls.GetError(handle));
        }

        int result = PcapCalls.SetFilter(handle, &program);
        PcapCalls.FreeFilter(&program);
        return result == 0 ? null : Text(PcapCalls.GetError(handle));
    }

    private static string Explain(PcapHandle handle, int status)
    {
        string more = Text(PcapCalls.GetError(handle));
        string text = Text(PcapCalls.StatusText(status));
        return more.Length == 0 || status == NotUp ? text : $"{text} ({more})";
    }

    private static string PcapNeedsRights(string fault) => OperatingSystem.IsLinux()
        ? PacketSocket.NeedsCapability
        : OperatingSystem.IsWindows()
            ? $"pcap may not open interfaces ({fault}): start the process as administrator, or install Npcap without the restriction to administrators."
            : $"pcap may not open interfaces ({fault}): start the process as root, or give its user access to /dev/bpf*.";

    private static string Text(byte* text) => Marshal.PtrToStringUTF8((nint)text)?.Trim() ?? "";
}
