using System.Runtime.InteropServices;

namespace CamCube.Shim.Udp.Ports;

/// <summary>How the ports sleep, and which of them have something. Loop only, except <see cref="Wake"/>.</summary>
internal abstract class PortReadiness : IDisposable
{
    /// <summary>After a wait: ports that may have datagrams, as bits.</summary>
    public uint Readable { get; protected set; }

    /// <summary>After a wait: ports that may take datagrams again, as bits.</summary>
    public uint Writable { get; protected set; }

    /// <summary>Watches what else than ports the loop sleeps for. False: that cannot be done.</summary>
    public abstract bool TryWatch(SafeHandle descriptor, Action happened);

    /// <summary>Whether a port is to be watched for room to send.</summary>
    public abstract void WatchRoom(int port, bool on);

    /// <summary>Sleeps until something happens, at most so long; 0 looks only.</summary>
    public abstract void Wait(long nanos);

    /// <summary>Ends the present wait or the next. Any thread.</summary>
    public abstract void Wake();

    public abstract void Dispose();
}
