using System.Runtime.CompilerServices;
using CamCube.Faults;
using CamCube.Messaging;
using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Streams;

/// <summary>A cube in virtual time, with links of 1 Gbit/s and jumbo frames, whose servers write streams to one
/// another. One thread; equal arguments give equal numbers.</summary>
internal sealed class StreamCube : IDisposable
{
    private const long LinkBitsPerSecond = 1_000_000_000;
    private const int MaxFrameLength = 9_014;

    // Of a frame with the bytes of a stream: type, flags, stream, offset, length.
    private const int DataFrameHeader = 14;

    /// <summary>Bytes of streams in a full frame.</summary>
    private static readonly int PerFrame =
        MaxFrameLength - Packet.FrameOverhead - Unsafe.SizeOf<BulkHeader>() - DataFrameHeader;
    private const long SliceNanos = 2_000_000;
    private readonly Action _tick;
    private readonly ServiceDefinition _definition;

    /// <summary>A cube with all servers running.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="seed">Of all that is random.</param>
    /// <param name="options">Limits of the streams; null: the defaults.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected; null: nothing fails, so that
    /// heartbeats would only be work.</param>
    /// <param name="tick">Called while time passes; may throw to end it.</param>
    public StreamCube(
        TorusShape shape,
        ulong seed,
        StreamOptions? options = null,
        TimeSpan? detectionTime = null,
        Action? tick = null
    )
    {
        options ??= new StreamOptions();
        _tick = tick ?? (static () => { });
        _definition = ServiceDefinition.Of(activation => new BulkService(activation.Server, options));
        Cube = Make(shape, seed, _definition, detectionTime);
    }

    /// <summary>The cube below.</summary>
    public SimulatedCube Cube { get; }

    /// <summary>All links, as far as packets of streams are concerned.</summary>
    public LinkScope OfStreams => LinkScope.All.OfService(_definition.Id);

    /// <summary>Packets that servers dropped, for whatever reason.</summary>
    public long Drops => DropsOf(Cube);

    /// <summary>The service of a running server.</summary>
    public BulkService this[Coordinate server] => Cube.Service<BulkService>(Cube.Shape.RankOf(server));

    /// <summary>A cube of this kind with another service.</summary>
    public static SimulatedCube Make(
        TorusShape shape,
        ulong seed,
        ServiceDefinition definition,
        TimeSpan? detectionTime = null
    ) =>
        new(
            shape,
            [definition],
            new SimulatorOptions
            {
                Seed = seed,
                LinkBitsPerSecond = LinkBitsPerSecond,
                MaxFrameLength = MaxFrameLength,
                IsTracing = false,
            },
            new ServerOptions
            {
                Liveness = new LivenessOptions { DetectionTime = detectionTime ?? TimeSpan.FromSeconds(60) },
            }
        );

    /// <summary>Packets that the servers of a cube dropped, for whatever reason.</summary>
    public static long DropsOf(SimulatedCube cube) =>
        Enumerable
            .Range(0, cube.Shape.Count)
            .Sum(rank => Enum.GetValues<DropReason>().Sum(reason => cube.DropsOf(rank, reason)));

    /// <summary>How many links the bytes of streams fill.</summary>
    public static double LinksOf(long bytes, long nanos) => LinksOf(bytes, nanos, PerFrame);

    /// <summary>How many links bytes fill: as many as carry nothing else in full frames.</summary>
    /// <param name="bytes">What arrived.</param>
    /// <param name="nanos">In which time.</param>
    /// <param name="perFrame">Bytes in a full frame.</param>
    public static double LinksOf(long bytes, long nanos, int perFrame) =>
        bytes * 8e9 / nanos / LinkBitsPerSecond / ((double)perFrame / MaxFrameLength);

    /// <summary>Bytes of frames as full ones.</summary>
    public static double FramesOf(long bytes) => (double)bytes / MaxFrameLength;

    /// <summary>The server so many hops from 0,0,0: two along X, two along Y, and the rest along Z.</summary>
    public static Coordinate AtHops(int hops) =>
        new((ushort)Math.Min(hops, 2), (ushort)Math.Clamp(hops - 2, 0, 2), (ushort)Math.Clamp(hops - 4, 0, 2));

    /// <summary>The service is taken from a running server, which tells nobody, and begins anew at once.</summary>
    public void RestartService(Coordinate server)
    {
        int rank = Cube.Shape.RankOf(server);
        using (Cube.LinkFaults.Add(new LinkCut(), LinkScope.From(server).OfService(_definition.Id)))
        {
            Cube.RemoveService(rank, _definition.Id);
            Cube.Advance(TimeSpan.FromMicroseconds(200));
        }

        Cube.AddService(rank, _definition);
    }

    /// <summary>Lets time pass.</summary>
    public void Advance(TimeSpan time)
    {
        for (long end = Cube.NowNanos + (time.Ticks * 100); Cube.NowNanos < end; )
        {
            _tick();
            Cube.AdvanceTo(Math.Min(end, Cube.NowNanos + SliceNanos));
        }
    }

    /// <summary>Lets time pass until something is so; it is looked at each 20 microseconds.</summary>
    /// <exception cref="InvalidOperationException">It does not come.</exception>
    public void AwaitUntil(Func<bool> condition, TimeSpan most)
    {
        long end = Cube.NowNanos + (most.Ticks * 100);
        for (int i = 0; !condition(); i++)
        {
            if (Cube.NowNanos >= end)
            {
                throw new InvalidOperationException($"Not within {most.TotalSeconds} virtual seconds.");
            }

            if (i % 100 == 0)
            {
                _tick();
            }

            Cube.Advance(TimeSpan.FromMicroseconds(20));
        }
    }

    /// <summary>Links that each of some streams to one reader fills, after a while.</summary>
    /// <param name="reader">The reader of streams labelled from 0 on.</param>
    /// <param name="streams">How many.</param>
    /// <param name="warmUp">What does not count.</param>
    /// <param name="time">What counts.</param>
    public double[] Measure(Coordinate reader, int streams, TimeSpan warmUp, TimeSpan time)
    {
        Advance(warmUp);
        long[] before = BytesAt(reader, streams);
        long began = Cube.NowNanos;
        Advance(time);
        return [.. BytesAt(reader, streams).Zip(before, (after, b) => LinksOf(after - b, Cube.NowNanos - began))];
    }

    /// <inheritdoc/>
    public void Dispose() => Cube.Dispose();

    private long[] BytesAt(Coordinate reader, int streams)
    {
        BulkService service = this[reader];
        return [.. Enumerable.Range(0, streams).Select(label => service.ReadingOf((ulong)label)?.Bytes ?? 0)];
    }
}
