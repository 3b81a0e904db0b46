using CamCube.Shim.Ethernet.Interfaces;
using SharpPcap.LibPcap;

namespace CamCube.Shim.Ethernet.Pcap;

/// <summary>How pcap ports sleep, and which of them have something. Loop only, except <see cref="Wake"/>.</summary>
internal abstract class PcapReadiness : IDisposable
{
    /// <summary>Ports that may have frames, as bits.</summary>
    public ulong Readable { get; protected set; }

    /// <summary>Ports that may take frames again, as bits.</summary>
    public ulong Writable { get; protected set; }

    /// <summary>Whether interfaces may have changed.</summary>
    public bool InterfacesChanged { get; protected set; }

    /// <summary>Watches a port.</summary>
    public abstract void Watch(int port, PcapHandle handle);

    /// <summary>Watches it no longer; before it is closed.</summary>
    public abstract void Forget(int port);

    /// <summary>Whether a port is to be watched for room to send. False: nobody can say when there is room.</summary>
    public abstract bool WatchRoom(int port, bool on);

    /// <summary>Sleeps at most so long; 0 looks only.</summary>
    public abstract void Wait(long nanos);

    /// <summary>Ends the present sleep or the next. Any thread.</summary>
    public abstract void Wake();

    /// <summary>The interfaces now.</summary>
    public abstract IReadOnlyList<InterfaceInfo> Interfaces();

    public abstract void Dispose();
}
