namespace CamCube;

/// <summary>
/// A service's default queue: each packet waits for the first free one of its links. Inside, one list per distinct link
/// set; a free link takes the packet that waited longest among the sets that contain it. Loop only.
/// </summary>
public interface IOutboundQueue
{
    /// <summary>Packets that still go in.</summary>
    int Room { get; }

    /// <summary>Packets waiting.</summary>
    int Count { get; }

    /// <summary>Completes when there is room for this many packets, in order of asking. False: the service is
    /// stopping.</summary>
    ValueTask<bool> RoomAsync(int packets);
}
