using System.Globalization;
using System.Text;
using CamCube.Experiments.Collectives;
using CamCube.Experiments.Streams;
using CamCube.Experiments.Tunnels;
using CamCube.Messaging;
using CamCube.Services.Cache;
using CamCube.Services.Collectives;
using CamCube.Services.Distribution;

namespace CamCube.Experiments.Symbiotic;

/// <summary>
/// SIGCOMM Fig. 5, §4: four services at once, each with its own routing or all by base routing, and how many packets
/// cross cables for each. Base routing is: a cache without copies; a stream from each server to the root of a sum, and
/// one path for it; the file sent to one server after the other along shortest ways; one path of the tunnel. What they
/// do is the same, and it is looked at.
/// </summary>
internal sealed class SymbioticExperiment : IDisposable
{
    // Members who are sent a file of their own at a time.
    private const int AtOnce = 8;
    private const int Values = 64;
    private const string File = "file";
    private static readonly TimeSpan Slice = TimeSpan.FromMicroseconds(200),
        Setup = TimeSpan.FromSeconds(1),
        ToHeal = TimeSpan.FromMilliseconds(500);
    private readonly SymbioticOptions _options;
    private readonly SymbioticCube _cube;
    private readonly DrawStream _random;
    private readonly byte[][] _keys;
    private readonly List<Task<CacheReply>> _reads = [];
    private readonly Dictionary<int, IGroup> _groups = [];
    private readonly Queue<int> _unsent;
    private readonly List<int> _sending = [];
    private readonly MachineFlow[] _flows;
    private readonly int _source;
    private CollectiveCourse? _course;

    /// <summary>A cube in which all is prepared, and nothing begun.</summary>
    public SymbioticExperiment(SymbioticOptions options)
    {
        _options = options;
        _random = new DrawStream(options.Seed, "symbiotic");
        _cube = new SymbioticCube(options.Shape, options.Seed, options.IsOwn);
        _keys =
        [
            .. Enumerable
                .Range(0, options.Items)
                .Select(i => Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"item {i}"))),
        ];
        _source = _random.Next(Count);
        _unsent = new Queue<int>(_random.Choose(Count, Count).Where(rank => rank != _source));
        _flows = [.. Pairs().Select(MakeFlow)];
        Prepare();
    }

    private TorusShape Shape => _cube.Shape;

    private int Count => _cube.Shape.Count;

    /// <summary>Packets of control that an idle cube would have on its cables meanwhile.</summary>
    public double IdleControl => _cube.IdleControl * _options.Time.TotalSeconds;

    /// <summary>Runs it.</summary>
    /// <param name="report">Told which part is done, 0 to 1. May throw to end it.</param>
    /// <exception cref="ExperimentException">Not all was done, or something was wrong.</exception>
    public SymbioticResult Run(Action<double> report)
    {
        SymbioticResult before = Counts();
        BeginSum();
        int slices = (int)(_options.Time / Slice),
            // The last have time to come.
            busy = slices * 9 / 10;
        for (int i = 0; i < slices; i++)
        {
            report(0.8 * i / slices);
            SendFiles();
            if (i < busy)
            {
                Ask(i);
            }

            _cube.Below.Advance(Slice);
        }

        Check();
        SymbioticResult after = Counts();
        report(0.8);
        long news = CutAndMend(slices);
        return new SymbioticResult(
            after.Cache - before.Cache,
            after.Aggregation - before.Aggregation,
            after.Distribution - before.Distribution,
            after.Tunnel - before.Tunnel,
            after.Control - before.Control,
            news,
            after.Delivered,
            after.Sent
        );
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();

    private SymbioticResult Counts() =>
        new(
            _cube.CrossingsOf("cache"),
            _cube.CrossingsOf("collectives", "bulk-streams"),
            _cube.CrossingsOf("distribution"),
            _cube.CrossingsOf("tunnel", "tunnel-flood"),
            _cube.Control,
            _cube.News,
            _flows.Sum(static flow => flow.Counts.Came),
            _flows.Sum(static flow => flow.Sent)
        );

    // Each server sends to one, and hears of one.
    private IEnumerable<(int From, int To)> Pairs()
    {
        int[] order = _random.Choose(Count, Count);
        return order.Select((rank, i) => (rank, order[(i + 1) % Count]));
    }

    private MachineFlow MakeFlow((int From, int To) pair)
    {
        var flow = new MachineFlow(_cube, Shape.At(pair.From), Shape.At(pair.To), 1, _cube.DatagramBytes)
        {
            Always = 1,
        };
        _cube.CardOf(Shape.At(pair.To)).Received = flow.Receive;
        return flow;
    }

    // What is there once for all, before it counts: items, the file, the group. It takes equally long in all runs.
    private void Prepare()
    {
        for (int item = 0; item < _keys.Length; item++)
        {
            Ask(CacheOperation.Set, item);
        }

        PutFile();
        if (_options.IsOwn)
        {
            for (int rank = 0; rank < Count; rank++)
            {
                OpenGroup(rank);
            }
        }

        _cube.Below.Advance(Setup);
        if (_options.IsOwn && _groups.Count < Count)
        {
            throw new ExperimentException($"Only {_groups.Count} of {Count} have a group.");
        }
    }

    // What the servers tell each other of a cable that is cut, and mended, while the cache and the tunnel go on.
    private long CutAndMend(int slice)
    {
        long before = _cube.News;
        int at = _random.Next(Count),
            slices = (int)(ToHeal / Slice);
        for (int i = 0; i < 2 * slices; i++)
        {
            if (i == 0)
            {
                _cube.Below.Cut(at, Link.XPlus);
            }
            else if (i == slices)
            {
                _cube.Below.Mend(at, Link.XPlus);
            }

            Ask(slice + i);
            _cube.Below.Advance(Slice);
        }

        return _cube.News - before;
    }

    // What is due at a slice of time: reads, changes, datagrams.
    private void Ask(int slice)
    {
        int perMilli = (int)(TimeSpan.FromMilliseconds(1) / Slice),
            perDatagram = (int)(_options.PerDatagram / Slice);
        for (int i = slice * _options.Reads / perMilli; i < (slice + 1) * _options.Reads / perMilli; i++)
        {
            Ask(i % _options.ReadsPerChange == 0 ? CacheOperation.Set : CacheOperation.Get);
        }

        // Each at a time of its own.
        for (int flow = slice % perDatagram; flow < _flows.Length; flow += perDatagram)
        {
            _flows[flow].Send();
        }
    }

    private void PutFile()
    {
        IServer server = _cube.Below.ServerOf<DistributionService>(_source);
        server.Loop.Run(async () =>
        {
            IDiskFile file = (await server.Disk.OpenAsync(File, create: true)).Value!;
            byte[] bytes = new byte[_options.FileBytes];
            for (int i = 0; i < bytes.Length; i++)
            {
                bytes[i] = (byte)(_random.Next(255) + 1);
            }

            await file.WriteAsync(0, bytes);
            file.Close();
        });
    }

    private void OpenGroup(int rank) =>
        _cube
            .Below.ServerOf<CollectivesService>(rank)
            .Loop.Run(() =>
            {
                GroupAnswer opened = _cube.Below.Service<CollectivesService>(rank).Open(new GroupRequest("all"));
                _groups[rank] = opened.Group ?? throw new ExperimentException(opened.Words!);
                return ValueTask.CompletedTask;
            });

    private void Ask(CacheOperation operation) => Ask(operation, _random.Next(_keys.Length));

    private void Ask(CacheOperation operation, int item)
    {
        ICache cache = _cube.Below.Service<CacheService>(_random.Next(Count));
        var request = new CacheRequest
        {
            Terms = new CacheTerms { Operation = operation },
            Key = _keys[item],
            Value = operation == CacheOperation.Set ? _keys[item] : default(ReadOnlyMemory<byte>),
        };
        _reads.Add(cache.ExecuteAsync(request).AsTask());
    }

    private void BeginSum()
    {
        if (!_options.IsOwn)
        {
            for (int rank = 1; rank < Count; rank++)
            {
                var parameters = new StreamParameters { Label = (ulong)rank, Paths = StreamPaths.One };
                _cube.Below.Service<BulkService>(rank).Write(Shape.At(0), parameters, _options.VectorBytes);
            }

            return;
        }

        _course = new CollectiveCourse(CollectiveKind.Reduce, Count, Values, _cube.NowNanos);
        for (int rank = 0; rank < Count; rank++)
        {
            int at = rank;
            byte[] buffer = _course.Fill(at, _options.VectorBytes);
            IServer server = _cube.Below.ServerOf<CollectivesService>(rank);
            server.Loop.Run(async () => _course.End(at, await _course.CallAsync(_groups[at], buffer), server.NowNanos));
        }
    }

    private void SendFiles()
    {
        if (_options.IsOwn)
        {
            if (_unsent.Count > 0)
            {
                _unsent.Clear();
                Send(new DistributionRequest(File));
            }

            return;
        }

        _sending.RemoveAll(rank => FilesAt(rank) > 0);
        while (_sending.Count < AtOnce && _unsent.TryDequeue(out int rank))
        {
            _sending.Add(rank);
            Send(new DistributionRequest(File) { To = [Shape.At(rank)], Trees = DistributionTrees.One });
        }
    }

    private void Send(DistributionRequest request) =>
        _cube
            .Below.ServerOf<DistributionService>(_source)
            .Loop.Run(async () =>
            {
                DistributionService service = _cube.Below.Service<DistributionService>(_source);
                if (await service.SendAsync(request) is { Words: { } words })
                {
                    throw new ExperimentException(words);
                }
            });

    private long FilesAt(int rank) => _cube.Below.Service<DistributionService>(rank).Terms.Counters.Received.Value;

    private void Check()
    {
        int open = _reads.Count(static read => !read.IsCompleted),
            missed = _reads.Count(static read => read.IsCompleted && read.Result.Status != CacheStatus.Done),
            without = Enumerable.Range(0, Count).Count(rank => rank != _source && FilesAt(rank) == 0);
        if (open + missed + without > 0)
        {
            throw new ExperimentException(
                $"After {_options.Time.TotalSeconds} s {open} calls of the cache are open, {missed} were not done, "
                    + $"{without} servers are without the file."
            );
        }

        if (_course is not null)
        {
            int done = _course.Results.Values.Count(static result => result.IsDone);
            if (done < Count)
            {
                throw new ExperimentException($"The sum is done at {done} of {Count}.");
            }

            _course.Check();
            return;
        }

        BulkService root = _cube.Below.Service<BulkService>(0);
        for (int rank = 1; rank < Count; rank++)
        {
            if (root.ReadingOf((ulong)rank) is not { Wrong: 0 } reading || reading.Bytes != _options.VectorBytes)
            {
                throw new ExperimentException($"The vector of {Shape.At(rank)} has not come to the root.");
            }
        }
    }
}
