using CamCube.Runtime.Services;
using CamCube.Services.Collectives;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Collectives;

/// <summary>A cube in virtual time all of whose servers have one group, with links of 1 Gbit/s and jumbo frames.
/// Vectors are of float32 with whole numbers so small that each sum is exact, and every result is looked at. One
/// thread; equal arguments give equal numbers.</summary>
internal sealed class CollectiveCube : IDisposable
{
    /// <summary>Rate of a link, in bits per second.</summary>
    public const double LinkBitsPerSecond = 1e9;

    private const int MaxFrameLength = 9_014;

    // Values repeat, so that sums are known without adding all vectors up.
    private const int Values = 64;
    private const double NanosPerSecond = 1e9;
    private static readonly TimeSpan Slice = TimeSpan.FromMicroseconds(200);
    private readonly SimulatedCube _cube;
    private readonly Action _tick;
    private readonly Dictionary<int, IGroup> _groups = [];
    private int[] _members;

    /// <summary>A cube with a group of all.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="seed">Of all that is random.</param>
    /// <param name="tick">Called while time passes; may throw to end it.</param>
    public CollectiveCube(TorusShape shape, ulong seed, Action tick)
    {
        _tick = tick;
        _members = [.. Enumerable.Range(0, shape.Count)];
        // One group is open at a time, and one that closes: each member of any of them has a tree of its own.
        var options = new CollectivesOptions { Groups = 4 };
        _cube = new SimulatedCube(
            shape,
            [ServiceDefinition.Of(activation => new CollectivesService(activation.Server, options))],
            new SimulatorOptions
            {
                Seed = seed,
                LinkBitsPerSecond = (long)LinkBitsPerSecond,
                MaxFrameLength = MaxFrameLength,
                IsTracing = false,
            }
        );
        Open("all", _members);
    }

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape => _cube.Shape;

    /// <summary>Bytes of a full frame, with its headers.</summary>
    public int FrameBytes => MaxFrameLength;

    /// <summary>What a packet carries beside its headers, at most.</summary>
    public int MaxPayload => _cube.ServerOf<CollectivesService>(0).Packets.MaxPayload;

    /// <summary>Bytes that a server has sent on each of its links, with headers.</summary>
    public Dictionary<(int Rank, Link Link), long> Carried() =>
        Enumerable
            .Range(0, Shape.Count)
            .SelectMany(rank => _cube.StatusOf(rank).Links.Select(link => (rank, link)))
            .ToDictionary(static sent => (sent.rank, sent.link.Link), static sent => sent.link.SentBytes);

    /// <summary>Opens a group, which then is the one that is used.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="members">Its members, by rank; the first is root.</param>
    public void Open(string name, int[] members)
    {
        _members = members;
        Coordinate[] places = [.. members.Select(Shape.At)];
        foreach (int rank in members)
        {
            _cube
                .ServerOf<CollectivesService>(rank)
                .Loop.Run(() =>
                {
                    GroupAnswer opened = _cube
                        .Service<CollectivesService>(rank)
                        .Open(new GroupRequest(name) { Members = places });
                    _groups[rank] = opened.Group ?? throw new ExperimentException(opened.Words!);
                    return ValueTask.CompletedTask;
                });
        }

        AwaitUntil(() => Array.TrueForAll(members, rank => _groups.TryGetValue(rank, out IGroup? g) && g.Name == name));

        // Its edges are open afterwards.
        Run(CollectiveKind.Barrier, 0);
        Run(CollectiveKind.AllReduce, 64 << 10);
    }

    /// <summary>All call one operation at the same time.</summary>
    /// <param name="kind">Which.</param>
    /// <param name="bytes">Length of the vectors; with parts for each member it is rounded up to whole ones.</param>
    /// <returns>Seconds until the last has its result.</returns>
    /// <exception cref="ExperimentException">It did not end well, or a result is wrong.</exception>
    public double Run(CollectiveKind kind, int bytes)
    {
        CollectiveCourse course = Begin(kind, bytes);
        AwaitUntil(() => course.Ended == _members.Length);
        foreach ((int rank, CollectiveResult result) in course.Results)
        {
            if (!result.IsDone)
            {
                throw new ExperimentException($"{kind} of {bytes} bytes at {Shape.At(rank)}: {result.Words}");
            }
        }

        course.Check();
        return (course.LastNanos - course.BeganNanos) / NanosPerSecond;
    }

    /// <summary>A member's power fails in the middle of an allreduce.</summary>
    /// <param name="rank">The member.</param>
    /// <param name="bytes">Length of the vectors.</param>
    /// <param name="after">How long it goes on before.</param>
    /// <returns>Seconds until the last of the others was told, and how many were told of this member.</returns>
    public (double Seconds, int Told) Kill(int rank, int bytes, TimeSpan after)
    {
        CollectiveCourse course = Begin(CollectiveKind.AllReduce, bytes);
        _cube.Advance(after);
        long killed = _cube.NowNanos;
        _cube.Kill(rank);
        AwaitUntil(() => course.Ended == _members.Length - 1);
        int told = course.Results.Values.Count(result =>
            result.Status == CollectiveStatus.MemberLost && result.Member == Shape.At(rank)
        );
        return ((course.LastNanos - killed) / NanosPerSecond, told);
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();

    private CollectiveCourse Begin(CollectiveKind kind, int bytes)
    {
        int unit = kind is CollectiveKind.ReduceScatter or CollectiveKind.AllGather
            ? sizeof(float) * _members.Length
            : sizeof(float);
        bytes = (bytes + unit - 1) / unit * unit;
        var course = new CollectiveCourse(kind, _members.Length, Values, _cube.NowNanos);
        for (int member = 0; member < _members.Length; member++)
        {
            int at = member,
                rank = _members[member];
            byte[] buffer = course.Fill(at, bytes);
            IServer server = _cube.ServerOf<CollectivesService>(rank);
            server.Loop.Run(async () =>
                course.End(rank, await course.CallAsync(_groups[rank], buffer), server.NowNanos)
            );
        }

        return course;
    }

    private void AwaitUntil(Func<bool> condition)
    {
        const double Most = 120;
        for (double end = (_cube.NowNanos / NanosPerSecond) + Most; !condition(); )
        {
            if (_cube.NowNanos / NanosPerSecond > end)
            {
                throw new ExperimentException($"Not within {Most} virtual seconds.");
            }

            _tick();
            _cube.Advance(Slice);
        }
    }
}
