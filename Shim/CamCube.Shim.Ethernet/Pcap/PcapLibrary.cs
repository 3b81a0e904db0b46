using System.Runtime.InteropServices;

namespace CamCube.Shim.Ethernet.Pcap;

/// <summary>Finds libpcap, Npcap or WinPcap, once per process: the one that SharpPcap finds, because both call it on
/// the same handles.</summary>
internal static class PcapLibrary
{
    // On Windows wpcap.dll is Npcap's or WinPcap's; Npcap keeps it in a folder of its own unless it is installed to be
    // compatible.
    private static readonly string[] Names =
        OperatingSystem.IsWindows() ? [Path.Combine(Environment.SystemDirectory, "Npcap", "wpcap.dll"), "wpcap.dll"]
        : OperatingSystem.IsMacOS() ? ["libpcap.dylib"]
        : ["libpcap.so", "libpcap.so.0", "libpcap.so.0.8", "libpcap.so.1"];

    private static readonly Lazy<nint> Found = new(Load);

    /// <summary>Loads it.</summary>
    /// <exception cref="LinkProviderException">It is not there; the message says what to install.</exception>
    public static void Require()
    {
        if (Found.Value == 0)
        {
            throw new LinkProviderException(Missing(Names));
        }
    }

    /// <summary>One line for people: what to install.</summary>
    public static string Missing(IReadOnlyList<string> names) =>
        $"CamCube:Ethernet:Via is Pcap, but no pcap library was found ({string.Join(", ", names)}): "
        + (
            OperatingSystem.IsWindows()
                ? "install Npcap from https://npcap.com."
                : "install libpcap (Debian: libpcap0.8)."
        );

    /// <summary>Whether the library has a function.</summary>
    public static bool Has(string function) => NativeLibrary.TryGetExport(Found.Value, function, out _);

    private static nint Load()
    {
        nint library = 0;
        foreach (string name in Names)
        {
            if (NativeLibrary.TryLoad(name, out library))
            {
                break;
            }
        }

        NativeLibrary.SetDllImportResolver(
            typeof(PcapLibrary).Assembly,
            (name, _, _) => name == PcapCalls.Library ? library : 0
        );
        return library;
    }
}
