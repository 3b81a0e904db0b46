using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>What packet sockets have in common, whoever moves their frames: the loop sleeps at one epoll, which its
/// wake-up and the news of interfaces end.</summary>
[SupportedOSPlatform("linux")]
internal abstract class SocketPorts : EthernetPorts
{
    /// <summary>Keys of the epoll behind those of the ports: the wake-up, interfaces, what others watch.</summary>
    protected const int OtherKeys = 3;
    private readonly LinuxInterfaces _interfaces;
    private readonly WakeSignal _wake = new();

    /// <summary>Ports without sockets.</summary>
    protected SocketPorts(
        LinuxInterfaces interfaces,
        IReadOnlyList<(CablePort Port, InterfaceInfo Interface)> chosen,
        EthernetOptions options,
        TimeProvider time,
        Action<LinkNews> news
    )
        : base(chosen, options, time, news)
    {
        _interfaces = interfaces;
        Poller = new Poller(All.Length + OtherKeys);
        Poller.Watch(_wake.Handle, WakeKey, PollEvents.Readable);
        Poller.Watch(_interfaces.Handle, InterfacesKey, PollEvents.Readable);
    }

    /// <summary>Where the loop sleeps. Keys below the number of ports are the ports' own.</summary>
    protected Poller Poller { get; }

    /// <summary>Readable after <see cref="Wake"/>.</summary>
    protected DescriptorHandle WakeHandle => _wake.Handle;

    /// <summary>The wake-up's key.</summary>
    protected int WakeKey => All.Length;

    /// <summary>The key of the news of interfaces.</summary>
    protected int InterfacesKey => All.Length + 1;

    /// <summary>The key of what somebody else watches here.</summary>
    protected int OthersKey => All.Length + 2;

    /// <inheritdoc/>
    public sealed override void Wake() => _wake.Set();

    /// <summary>The wake-up was seen.</summary>
    protected void SeeWake() => _wake.Reset();

    /// <summary>There are news of interfaces; those of the ports may have changed.</summary>
    protected void LookAtInterfaces(ICablePortEvents events, long now)
    {
        if (_interfaces.HasChanged(IsMeant))
        {
            Compare(_interfaces.List(), events, now);
        }
    }

    /// <inheritdoc/>
    protected override void CloseAll()
    {
        Poller.Dispose();
        _interfaces.Dispose();
        _wake.Dispose();
    }
}
