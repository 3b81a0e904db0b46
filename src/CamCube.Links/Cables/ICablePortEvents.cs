namespace CamCube.Cables;

/// <summary>What ports tell while they receive or flush. Loop only.</summary>
public interface ICablePortEvents
{
    /// <summary>A frame arrived: the bytes after the Ethernet header (or what stands for it), authenticated if the
    /// ports do so. They are only read during the call. No bytes can make it throw.</summary>
    void FrameArrived(int port, ReadOnlySpan<byte> frame, long now);

    /// <summary>A port that had no room (<see cref="CablePorts.Room"/> 0 or 1) has some again.</summary>
    void RoomAgain(int port, long now);

    /// <summary>The hardware says that a cable was pulled or plugged in, that the port vanished or is back, or that its
    /// largest frame changed.</summary>
    void PortChanged(int port, bool isUp, int maxFrameLength, long now);

    /// <summary>The ports threw a frame away before they gave it to anybody; counted for the port's link.</summary>
    void FrameDropped(int port, DropReason reason);

    /// <summary>Ports that can see what else is on a cable say what that is: something else than before, or newer
    /// counts. Null: nothing any more.</summary>
    void ForeignChanged(int port, ForeignTraffic? traffic, long now) { }
}
