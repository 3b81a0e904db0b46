using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>A file that is sent to all of 3x3x3, and what happens to it at half: how long members wait.</summary>
internal sealed class LossCourse : IDisposable
{
    /// <summary>Nanoseconds of a frame of 9,014 bytes at 1 Gbit/s, with what is between frames.</summary>
    public const double FrameNanos = 72_272;

    private const ulong Step = 0x9E3779B97F4A7C15;
    private const int StepNanos = 20_000;
    private readonly byte[] _bytes;
    private readonly PieceLayout _layout;

    public LossCourse(int code, int length, int pieceBytes, int window = 16)
    {
        var options = new DistributionOptions
        {
            PieceBytes = pieceBytes,
            Window = window,
            LostTime = TimeSpan.FromSeconds(1),
            Poll = TimeSpan.FromMilliseconds(50),
        };
        var simulator = new SimulatorOptions { IsTracing = false };
        (simulator.Disk.BytesPerSecond, simulator.Disk.SyncNanos) = (20_000_000_000, 1_000);
        (simulator.Disk.ReadNanos, simulator.Disk.WriteNanos) = (1_000, 1_000);
        Cube = new DistributionCube(3, 3, 3, options, simulator);
        _layout = new PieceLayout(length, pieceBytes, Math.Min(pieceBytes, options.BlockBytes), 6, code);
        _bytes = new byte[length];
        CountedBytes.Fill(_bytes, 0, 1, Step);
        Cube.Put(13, "f", _bytes);
        Job = Cube.BeginCoded(13, "f", code);
    }

    public DistributionCube Cube { get; }

    public ulong Job { get; }

    /// <summary>From the manifest to the last member that lives.</summary>
    public double Seconds { get; private set; }

    /// <summary>The longest time, since half of it was there, in which nothing came to a member, in frames.</summary>
    public double StallFrames { get; private set; }

    /// <summary>Pieces that came to members more than once.</summary>
    public long Twice { get; private set; }

    /// <summary>From the fault until the last neighbour knows of it.</summary>
    public double DetectionFrames { get; private set; }

    /// <summary>Goes to the end.</summary>
    /// <param name="fault">What happens at half.</param>
    /// <param name="dead">Who is lost then.</param>
    public void Run(Action<DistributionCube>? fault, params int[] dead)
    {
        int[] members = [.. Enumerable.Range(0, 27).Where(rank => rank != 13 && !dead.Contains(rank))];
        Cube.Cube.AwaitUntil(() => Cube.State(13, Job).Stage == DistributionStage.Running);
        long began = Cube.Cube.NowNanos;
        long[] came = new long[27],
            since = new long[27];
        bool isHalf = false;
        long faultNanos = 0,
            now;
        int links = LinksUp(members);
        while (!Array.TrueForAll(members, rank => Received(rank) > 0))
        {
            Cube.Cube.Advance(TimeSpan.FromMicroseconds(StepNanos / 1_000));
            now = Cube.Cube.NowNanos;
            foreach (int rank in members)
            {
                long has = Came(rank);
                if (has != came[rank] || Received(rank) > 0)
                {
                    (came[rank], since[rank]) = (has, now);
                }

                StallFrames = Math.Max(StallFrames, isHalf ? (now - since[rank]) / FrameNanos : 0);
            }

            if (!isHalf && members.All(rank => came[rank] > _layout.All / 2))
            {
                isHalf = true;
                faultNanos = now;
                fault?.Invoke(Cube);
            }

            if (LinksUp(members) is var up && up != links)
            {
                (links, DetectionFrames) = (up, (now - faultNanos) / FrameNanos);
            }

            Assert.True(Cube.Cube.NowNanos - began < 20_000_000_000, "It does not end");
        }

        Seconds = (Cube.Cube.NowNanos - began) / 1e9;
        Assert.All(members, rank => Assert.Equal(_bytes, Cube.Read(rank, "f")));
        Twice = members.Sum(rank => Math.Max(0, Came(rank) - _layout.All) + Counters(rank).GivenUp.Value);
    }

    public void Dispose() => Cube.Dispose();

    private Counting.DistributionCounters Counters(int rank) => Cube[rank].Terms.Counters;

    private int LinksUp(int[] members) =>
        members.Sum(rank => Cube.Cube[rank].ServerOf<DistributionService>().Topology.LinksUp.Count);

    private long Received(int rank) => Counters(rank).Received.Value;

    private long Came(int rank) => Counters(rank).Pulled.Value + Counters(rank).Recovered.Value;
}
