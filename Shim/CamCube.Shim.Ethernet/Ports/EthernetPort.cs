using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Foreign;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Interfaces;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>One interface as a port: what is known of it, and the frames that wait to be sent. Loop only.</summary>
internal sealed class EthernetPort : IDisposable
{
    /// <summary>Frames of a batch.</summary>
    public const int Frames = 32;

    // A step that passes a whole batch on sends it in one call: the link is full when there is room for one more only.
    private const int MostWaiting = Frames + 2,
        FewestWaiting = 4;
    private int _mostWaiting = MostWaiting;

    public EthernetPort(CablePort port, InterfaceInfo info, int longestFrame)
    {
        (Port, LongestFrame) = (port, longestFrame);
        Update(info);
    }

    /// <summary>Number, name and link.</summary>
    public CablePort Port { get; }

    /// <summary>As configured, whatever the interface could do.</summary>
    public int LongestFrame { get; }

    /// <summary>What others may see of it.</summary>
    public CableSigns Signs { get; } = new();

    /// <summary>The interface's number, or 0 while it is gone.</summary>
    public int Index
    {
        get => Signs.Index;
        private set => Signs.Index = value;
    }

    /// <summary>Whether frames can pass.</summary>
    public bool IsUp { get; private set; }

    /// <summary>Longest frame now, with header; 0 while it is gone.</summary>
    public int MaxFrameLength { get; private set; }

    /// <summary>The interface's address.</summary>
    public MacAddress Address { get; private set; }

    /// <summary>Who is at the other end: everybody, until a control frame said it. So nobody has to listen to what is
    /// not meant for him.
    /// </summary>
    public MacAddress Neighbour
    {
        get => Signs.Neighbour;
        set => Signs.Neighbour = value;
    }

    /// <summary>Frames to send, header included.</summary>
    public FrameRing Sending { get; } = new(2 * Frames, EthernetHeader.LongestFrame, EthernetHeader.Skew);

    /// <summary>Frames that may be sent before the system takes some: few, because what waits here passes all queues of
    /// services.</summary>
    public int Room => _mostWaiting - Sending.Count;

    /// <summary>The system takes no more for now.</summary>
    public bool IsBlocked { get; set; }

    /// <summary>When to try again though the system does not say so; <see cref="long.MaxValue"/>: it says so.</summary>
    public long RetryAt { get; set; } = long.MaxValue;

    /// <summary>The ring was as good as full, and nobody has been told that it is not any more.</summary>
    public bool WasFull { get; set; }

    /// <summary>Frames that were too long, not told yet.</summary>
    public int TooLarge { get; set; }

    /// <summary>Frames that the system refused for another reason, not told yet.</summary>
    public int Refused { get; set; }

    /// <summary>The system was offered what waited. A slow interface takes few frames at a time: then no more of them
    /// are to wait here. When it takes all that may wait, more may.</summary>
    /// <param name="taken">How many it took.</param>
    public void Learn(int taken)
    {
        if (IsBlocked)
        {
            // No faster than frames leave: room that was promised stays.
            _mostWaiting = Math.Max(_mostWaiting - taken, Math.Clamp(taken + 2, FewestWaiting, MostWaiting));
        }
        else if (taken + 2 > _mostWaiting)
        {
            _mostWaiting = Math.Min(2 * _mostWaiting, MostWaiting);
        }
    }

    /// <summary>Longest frame on an interface, with header.</summary>
    public int LongestOn(InterfaceInfo info) => (int)Math.Min((long)info.Mtu + EthernetHeader.Length, LongestFrame);

    /// <summary>Takes over what the system says now. Returns whether that is anything new.</summary>
    /// <param name="info">The interface, or null: there is none of that name.</param>
    public bool Update(InterfaceInfo? info)
    {
        var before = (Index, IsUp, MaxFrameLength);
        Index = info?.Index ?? 0;
        IsUp = info?.IsUp ?? false;
        MaxFrameLength = info is null ? 0 : LongestOn(info);
        Address = info?.Address ?? default;
        if (before == (Index, IsUp, MaxFrameLength))
        {
            return false;
        }

        if (!IsUp)
        {
            // Another server may be plugged in next.
            Neighbour = MacAddress.Broadcast;
        }

        return true;
    }

    /// <summary>What waits to be sent is lost, as on a cut cable.</summary>
    public void LoseAll()
    {
        Sending.Release(Sending.Count);
        (IsBlocked, RetryAt) = (false, long.MaxValue);
    }

    public void Dispose() => Sending.Dispose();
}
