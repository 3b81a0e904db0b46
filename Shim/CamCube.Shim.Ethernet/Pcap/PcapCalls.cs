using System.Runtime.InteropServices;
using SharpPcap.LibPcap;

namespace CamCube.Shim.Ethernet.Pcap;

/// <summary>
/// The functions of libpcap, Npcap and WinPcap that are called beside SharpPcap, on its handle: it tells neither why a
/// frame was not taken nor, on Linux of 64 bits, how many were dropped, and lends neither Windows' event nor its send
/// queue without arrays. Only after <see cref="PcapLibrary.Require"/>.
/// </summary>
internal static unsafe partial class PcapCalls
{
    /// <summary>A name that <see cref="PcapLibrary"/> resolves to whichever library is there.</summary>
    public const string Library = "camcube-pcap";

    /// <summary>PCAP_D_IN.</summary>
    public const int DirectionIn = 1;

    [LibraryImport(Library, EntryPoint = "pcap_geterr")]
    public static partial byte* GetError(PcapHandle pcap);

    [LibraryImport(Library, EntryPoint = "pcap_statustostr")]
    public static partial byte* StatusText(int status);

    [LibraryImport(Library, EntryPoint = "pcap_setdirection")]
    public static partial int SetDirection(PcapHandle pcap, int direction);

    [LibraryImport(Library, EntryPoint = "pcap_sendpacket", SetLastError = true)]
    public static partial int Send(PcapHandle pcap, byte* bytes, int length);

    [LibraryImport(Library, EntryPoint = "pcap_stats")]
    public static partial int Statistics(PcapHandle pcap, uint* statistics);

    [LibraryImport(Library, EntryPoint = "pcap_get_selectable_fd")]
    public static partial int Descriptor(PcapHandle pcap);

    [LibraryImport(Library, EntryPoint = "pcap_getevent")]
    public static partial nint Event(PcapHandle pcap);

    [LibraryImport(Library, EntryPoint = "pcap_sendqueue_alloc")]
    public static partial SendQueue* AllocateQueue(uint bytes);

    [LibraryImport(Library, EntryPoint = "pcap_sendqueue_queue")]
    public static partial int Queue(SendQueue* queue, WindowsHeader* header, byte* bytes);

    [LibraryImport(Library, EntryPoint = "pcap_sendqueue_transmit")]
    public static partial uint Transmit(PcapHandle pcap, SendQueue* queue, int synchronized);

    [LibraryImport(Library, EntryPoint = "pcap_sendqueue_destroy")]
    public static partial void DestroyQueue(SendQueue* queue);

    /// <summary>struct pcap_send_queue of Windows: how much fits, how much is in, the bytes.</summary>
    public struct SendQueue
    {
        public uint Capacity;
        public uint Length;
        public byte* Bytes;
    }

    /// <summary>struct pcap_pkthdr of Windows, whose timeval has two longs of 32 bits.</summary>
    public struct WindowsHeader
    {
        public int Seconds;
        public int Micros;
        public uint Captured;
        public uint Length;
    }
}
