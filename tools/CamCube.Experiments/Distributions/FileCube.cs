using CamCube.Runtime.Services;
using CamCube.Services.Distribution;
using CamCube.Simulator;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Distributions;

/// <summary>A cube in virtual time that distributes files, with links of 1 Gbit/s, jumbo frames and disks as fast as
/// memory. What files hold needs no memory (<see cref="CountedBytes"/>). One thread; equal arguments give equal
/// numbers.</summary>
internal sealed class FileCube : IDisposable
{
    /// <summary>Rate of a link, in bits per second.</summary>
    public const double LinkBitsPerSecond = 1e9;

    private const int MaxFrameLength = 9_014;
    private const int HeaderBytes = 48;
    private const int PartBytes = 1 << 20;
    private const ulong Step = 0x9E3779B97F4A7C15;
    private const double NanosPerSecond = 1e9;
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(1);
    private readonly SimulatedCube _cube;
    private readonly Action _tick;

    /// <summary>A cube without files.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="seed">Of all that is random.</param>
    /// <param name="tick">Called while time passes; may throw to end it.</param>
    /// <param name="isWatched">The source asks its members each millisecond how far they are, so that it knows when
    /// they have it; of many members that is a part of its links of its own.</param>
    public FileCube(TorusShape shape, ulong seed, Action tick, bool isWatched = true)
    {
        _tick = tick;
        var options = new DistributionOptions { LostTime = TimeSpan.Zero };
        options.Poll = isWatched ? Slice : options.Poll;
        _cube = new SimulatedCube(
            shape,
            [ServiceDefinition.Of(activation => new DistributionService(activation.Server, options))],
            new SimulatorOptions
            {
                Seed = seed,
                LinkBitsPerSecond = (long)LinkBitsPerSecond,
                MaxFrameLength = MaxFrameLength,
                IsTracing = false,
                Disk = new SimulatedDiskOptions
                {
                    ReadNanos = 0,
                    WriteNanos = 0,
                    SyncNanos = 0,
                    BytesPerSecond = 1_000_000_000_000,
                    CapacityBytes = 1L << 40,
                },
            }
        );
    }

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape => _cube.Shape;

    /// <summary>What a link carries of payload, in bits per second.</summary>
    public double PayloadBitsPerSecond =>
        LinkBitsPerSecond * (_cube.ServerOf<DistributionService>(0).Packets.MaxPayload - HeaderBytes) / MaxFrameLength;

    /// <summary>Virtual time in seconds.</summary>
    public double Now => _cube.NowNanos / NanosPerSecond;

    /// <summary>A server's power fails.</summary>
    public void Kill(int rank) => _cube.Kill(rank);

    /// <summary>Puts a file into a server's folder. Files of different numbers differ in all bytes.</summary>
    public void Put(int rank, int number, long length) =>
        Await(
            rank,
            async (_, server) =>
            {
                IDiskFile file = (await server.Disk.OpenAsync(NameOf(number), create: true)).Value!;
                byte[] part = new byte[PartBytes];
                for (long offset = 0; offset < length; offset += part.Length)
                {
                    int some = (int)Math.Min(part.Length, length - offset);
                    CountedBytes.Fill(part, offset, ((ulong)number << 56) + 1, Step);
                    await file.WriteAsync(offset, part.AsMemory(0, some));
                }

                file.Close();
                return true;
            }
        );

    /// <summary>Begins to send a file. Returns the job.</summary>
    /// <param name="rank">The source.</param>
    /// <param name="number">The file.</param>
    /// <param name="to">Who is to have it, by rank; empty: all.</param>
    /// <param name="code">Trees that carry parity.</param>
    public ulong Begin(int rank, int number, IReadOnlyList<int> to, int code = 0) =>
        Await(
            rank,
            (service, _) =>
                service.SendAsync(
                    new DistributionRequest(NameOf(number)) { To = [.. to.Select(Shape.At)], Code = code }
                )
        ).Job;

    /// <summary>How far a job is.</summary>
    public DistributionState StateOf(int rank, ulong job) => _cube.Service<DistributionService>(rank).StateOf(job)!;

    /// <summary>Pieces that came to a member, of all files.</summary>
    public long PiecesAt(int rank) => _cube.Service<DistributionService>(rank).Terms.Counters.Pulled.Value;

    /// <summary>Files that a member has, whole and synced.</summary>
    public long FilesAt(int rank) => _cube.Service<DistributionService>(rank).Terms.Counters.Received.Value;

    /// <summary>Lets time pass until something is so; it is looked at each millisecond.</summary>
    /// <exception cref="ExperimentException">It does not come.</exception>
    public void AwaitUntil(Func<bool> condition)
    {
        const double Most = 120;
        for (double end = Now + Most; !condition(); )
        {
            if (Now > end)
            {
                throw new ExperimentException($"Not within {Most} virtual seconds.");
            }

            _tick();
            _cube.AdvanceTo(_cube.NowNanos + (Slice.Ticks * 100));
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();

    private static string NameOf(int number) => $"file-{number}";

    private T Await<T>(int rank, Func<DistributionService, IServer, ValueTask<T>> call)
    {
        DistributionService service = _cube.Service<DistributionService>(rank);
        IServer server = _cube.ServerOf<DistributionService>(rank);
        (bool isDone, T result) = (false, default!);
        server.Loop.Run(async () => (result, isDone) = (await call(service, server), true));
        AwaitUntil(() => isDone);
        return result;
    }
}
