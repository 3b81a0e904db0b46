using System.Runtime.InteropServices;

namespace CamCube.Shim.Ethernet;

/// <summary>The functions of libpcap, Npcap and WinPcap that are used. Only after <see cref="PcapLibrary.Require"/>.</summary>
internal static unsafe partial class PcapCalls
{
    /// <summary>A name that <see cref="PcapLibrary"/> resolves to whichever library is there.</summary>
    public const string Library = "camcube-pcap";

    /// <summary>PCAP_D_IN.</summary>
    public const int DirectionIn = 1;

    [LibraryImport(Library, EntryPoint = "pcap_create", StringMarshalling = StringMarshalling.Utf8)]
    public static partial PcapHandle Create(string device, byte* error);

    [LibraryImport(Library, EntryPoint = "pcap_set_snaplen")]
    public static partial int SetSnapLength(PcapHandle pcap, int bytes);

    [LibraryImport(Library, EntryPoint = "pcap_set_promisc")]
    public static partial int SetPromiscuous(PcapHandle pcap, int on);

    [LibraryImport(Library, EntryPoint = "pcap_set_timeout")]
    public static partial int SetTimeout(PcapHandle pcap, int millis);

    [LibraryImport(Library, EntryPoint = "pcap_set_immediate_mode")]
    public static partial int SetImmediate(PcapHandle pcap, int on);

    [LibraryImport(Library, EntryPoint = "pcap_setmintocopy")]
    public static partial int SetLeastToCopy(PcapHandle pcap, int bytes);

    [LibraryImport(Library, EntryPoint = "pcap_set_buffer_size")]
    public static partial int SetBuffer(PcapHandle pcap, int bytes);

    [LibraryImport(Library, EntryPoint = "pcap_activate")]
    public static partial int Activate(PcapHandle pcap);

    [LibraryImport(Library, EntryPoint = "pcap_geterr")]
    public static partial byte* GetError(PcapHandle pcap);

    [LibraryImport(Library, EntryPoint = "pcap_statustostr")]
    public static partial byte* StatusText(int status);

    [LibraryImport(Library, EntryPoint = "pcap_setnonblock")]
    public static partial int SetNonBlocking(PcapHandle pcap, int on, byte* error);

    [LibraryImport(Library, EntryPoint = "pcap_setdirection")]
    public static partial int SetDirection(PcapHandle pcap, int direction);

    [LibraryImport(Library, EntryPoint = "pcap_compile", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Compile(PcapHandle pcap, FilterProgram* program, string filter, int optimize, uint mask);

    [LibraryImport(Library, EntryPoint = "pcap_setfilter")]
    public static partial int SetFilter(PcapHandle pcap, FilterProgram* program);

    [LibraryImport(Library, EntryPoint = "pcap_freecode")]
    public static partial void FreeFilter(FilterProgram* program);

    [LibraryImport(Library, EntryPoint = "pcap_next_ex")]
    public static partial int Next(PcapHandle pcap, byte** header, byte** bytes);

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

    [LibraryImport(Library, EntryPoint = "pcap_close")]
    public static partial void Close(nint pcap);

    /// <summary>struct bpf_program.</summary>
    public struct FilterProgram
    {
        public uint Length;
        public void* Instructions;
    }

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
