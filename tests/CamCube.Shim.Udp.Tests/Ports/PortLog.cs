using CamCube.Cables;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>What ports told.</summary>
internal sealed class PortLog : ICablePortEvents
{
    public List<(int Port, byte[] Frame)> Frames { get; } = [];

    public Dictionary<DropReason, int> Drops { get; } = [];

    public List<(int Port, int MaxFrameLength)> Changes { get; } = [];

    public int RoomCalls { get; private set; }

    /// <summary>Frames are counted only, so that nothing is allocated.</summary>
    public bool CountsOnly { get; set; }

    public long Count { get; private set; }

    public long Bytes { get; private set; }

    public int DropsOf(DropReason reason) => Drops.GetValueOrDefault(reason);

    public void FrameArrived(int port, ReadOnlySpan<byte> frame, long now)
    {
        (Count, Bytes) = (Count + 1, Bytes + frame.Length);
        if (!CountsOnly)
        {
            Frames.Add((port, frame.ToArray()));
        }
    }

    public void RoomAgain(int port, long now) => RoomCalls++;

    public void PortChanged(int port, bool isUp, int maxFrameLength, long now) => Changes.Add((port, maxFrameLength));

    public void FrameDropped(int port, DropReason reason) => Drops[reason] = DropsOf(reason) + 1;
}
