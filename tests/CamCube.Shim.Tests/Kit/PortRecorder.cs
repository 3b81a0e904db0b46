using System.Diagnostics;
using CamCube.Cables;

namespace CamCube.Shim.Tests.Kit;

/// <summary>Drives ports and writes down what they tell.</summary>
internal sealed class PortRecorder(CablePorts ports) : ICablePortEvents
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(20);

    public List<(int Port, byte[] Bytes)> Frames { get; } = [];

    public List<(int Port, bool IsUp, int MaxFrameLength)> Changes { get; } = [];

    public List<(int Port, DropReason Reason)> Drops { get; } = [];

    /// <summary>What else is on the cables, by port; and how often that was told.</summary>
    public Dictionary<int, ForeignTraffic> Foreign { get; } = [];

    public int ForeignNews { get; private set; }

    public int RoomsAgain { get; private set; }

    /// <summary>Counts only, to allocate nothing.</summary>
    public bool OnlyCounts { get; set; }

    public long FrameCount { get; private set; }

    public CablePorts Ports => ports;

    private static long Now => Stopwatch.GetTimestamp() * (1_000_000_000 / Stopwatch.Frequency);

    public void FrameArrived(int port, ReadOnlySpan<byte> frame, long now)
    {
        FrameCount++;
        if (!OnlyCounts)
        {
            Frames.Add((port, frame.ToArray()));
        }
    }

    public void RoomAgain(int port, long now) => RoomsAgain++;

    public void PortChanged(int port, bool isUp, int maxFrameLength, long now) =>
        Changes.Add((port, isUp, maxFrameLength));

    public void FrameDropped(int port, DropReason reason) => Drops.Add((port, reason));

    public void ForeignChanged(int port, ForeignTraffic? traffic, long now)
    {
        ForeignNews++;
        Foreign.Remove(port);
        if (traffic is not null)
        {
            Foreign[port] = traffic;
        }
    }

    /// <summary>Sends, and waits for room first if threads of the ports are behind.</summary>
    public void Send(int port, ReadOnlySpan<byte> frame)
    {
        for (int i = 0; ports.Room(port) == 0; i++)
        {
            Assert.True(i < 1_000, "the room does not come back");
            Flush();
            ports.Wait(0, 10_000_000);
            Receive();
        }

        frame.CopyTo(ports.Rent(port));
        ports.Send(port, frame.Length);
    }

    public void Flush() => ports.Flush(this, Now);

    public int Receive(int budget = 32) => ports.Receive(this, budget, Now);

    /// <summary>Receives and sleeps until the condition holds.</summary>
    public void Until(Func<bool> condition, string what)
    {
        long begin = Stopwatch.GetTimestamp();
        for (; ; )
        {
            Receive();
            Flush();
            if (condition())
            {
                return;
            }

            Assert.True(
                Stopwatch.GetElapsedTime(begin) < Generous,
                $"{what}; {Frames.Count} frames, {Drops.Count} drops, changes: {string.Join(' ', Changes)}"
            );
            ports.Wait(Now, Now + 100_000_000);
        }
    }
}
