using CamCube.Experiments.Generated;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Camdoop;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator;
using CamCube.Simulator.Settings;
using CamCube.Workers;

namespace CamCube.Experiments.Camdoop;

/// <summary>
/// A cube in virtual time with MapReduce on every server, and a file of input at each of them. The file
/// store is made up (<see cref="MadeFiles"/>): a job's input is where its map tasks run, and its output is not
/// written, as in the paper, so what is measured is the shuffle. One thread; equal arguments give equal numbers.
/// </summary>
internal sealed class ShuffleCube : IDisposable
{
    private const int MaxFrameLength = 9_014;
    private const double NanosPerSecond = 1e9;
    private const long LookNanos = 100_000_000;
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(5);
    private const string Service = "camdoop";
    private readonly SimulatedCube _cube;
    private readonly IShuffleInput _input;
    private readonly MadeFiles _files;
    private readonly bool _watchesMemory;
    private readonly Action _tick;
    private int _jobs;

    /// <summary>A cube with input.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="seed">Of all that is random.</param>
    /// <param name="input">The servers' files, one for each.</param>
    /// <param name="tick">Called while time passes; may throw to end it.</param>
    /// <param name="terms">What else there is to say.</param>
    public ShuffleCube(TorusShape shape, ulong seed, IShuffleInput input, Action tick, ShuffleTerms? terms = null)
    {
        terms ??= new ShuffleTerms();
        (_input, _tick, LinkBitsPerSecond) = (input, tick, terms.LinkBitsPerSecond);
        (_files, _watchesMemory) = (new MadeFiles(input), terms.WatchesMemory);
        for (int file = 0; file < input.Files; file++)
        {
            int of = file;
            _files.Add(new MadeInput($"/in/{file:0000}", file, input.LengthOf(file), () => input.Open(of)));
        }

        // All of a file is one sorted run.
        var options = new CamdoopOptions
        {
            Buffers = terms.Buffers,
            OutputMemory = 1L << 36,
            SortBytes = (int)Math.Max(1 << 20, 4 * Enumerable.Range(0, input.Files).Max(input.LengthOf)),
        };
        var server = new ServerOptions();
        server.Memory.ServerLimit = 1L << 40;
        _cube = new SimulatedCube(
            shape,
            [
                ServiceDefinition.Of(a => new MadeFilesService(a.Server, _files)),
                ServiceDefinition.Of(a => new CamdoopService(
                    a.Server,
                    options,
                    a.Dependency<IFiles>(),
                    a.Dependency<IKeyValueStore>(),
                    _ => new FunctionPrograms(
                        a.Server,
                        new Dictionary<string, ProgramFunction>(),
                        new ProgramsOptions()
                    ),
                    isSimulated: true
                )),
            ],
            new SimulatorOptions
            {
                Seed = seed,
                LinkBitsPerSecond = terms.LinkBitsPerSecond,
                MaxFrameLength = MaxFrameLength,
                IsTracing = false,
            },
            server
        );
    }

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape => _cube.Shape;

    /// <summary>Rate of a link, in bits per second.</summary>
    public long LinkBitsPerSecond { get; }

    /// <summary>Runs one job.</summary>
    public ShuffleResult Run(ShuffleJob job) => Run([job])[0];

    /// <summary>Runs jobs that begin together, to their ends.</summary>
    /// <param name="jobs">The jobs.</param>
    /// <param name="killed">A server whose power fails; less than 0: none.</param>
    /// <param name="killedAfter">Seconds from the beginning of the first shuffle to that.</param>
    /// <exception cref="ExperimentException">A job failed, or its output is wrong.</exception>
    public IReadOnlyList<ShuffleResult> Run(IReadOnlyList<ShuffleJob> jobs, int killed = -1, double killedAfter = 0)
    {
        Dictionary<(int, Link), long> before = OnLinks();
        string[] outputs = [.. jobs.Select(_ => $"/out/{_jobs++}")];
        string[] names = Submit(jobs, outputs);
        long queued = 0;
        if (killed >= 0)
        {
            AwaitUntil(() => OutputsOf(outputs[0]).Length > 0, TimeSpan.FromMicroseconds(100));
            long began = OutputsOf(outputs[0]).Min(static o => o.BeganNanos);
            _cube.AdvanceTo(Math.Max(_cube.NowNanos, began + (long)(killedAfter * NanosPerSecond)));
            _cube.Kill(killed);
        }

        JobState?[] states = new JobState?[jobs.Count];
        long nextNanos = 0;
        AwaitUntil(
            () =>
            {
                queued = Math.Max(queued, QueueBytes());
                if (_cube.NowNanos >= nextNanos)
                {
                    nextNanos = _cube.NowNanos + LookNanos;
                    for (int job = 0; job < jobs.Count; job++)
                    {
                        states[job] ??= Find(names[job]) is { IsOver: true } over ? over : null;
                    }
                }

                return Array.TrueForAll(states, static state => state is not null);
            },
            _watchesMemory ? TimeSpan.FromMilliseconds(1) : Slice
        );
        Dictionary<(int Rank, Link Link), long> after = OnLinks();
        foreach ((int Rank, Link Link) link in after.Keys.ToArray())
        {
            after[link] -= before.GetValueOrDefault(link);
        }

        return
        [
            .. Enumerable
                .Range(0, jobs.Count)
                .Select(job =>
                    ResultOf(jobs[job], states[job]!, outputs[job]) with
                    {
                        OnLinks = after,
                        QueueBytes = queued,
                    }
                ),
        ];
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();

    private ShuffleResult ResultOf(ShuffleJob job, JobState state, string output)
    {
        MadeOutput[] all = OutputsOf(output);
        MadeOutput[] kept =
        [
            .. all.Where(static o => o.IsCommitted).OrderBy(static o => o.Path, StringComparer.Ordinal),
        ];
        if (state.Phase != JobPhase.Done || kept.Length != job.Reduces || kept.Any(static o => o.IsWrong))
        {
            throw new ExperimentException($"A job has ended as {state.Phase}: {state.Words}");
        }

        string? wrong = _input.WrongOf(
            kept.Sum(static o => o.Lines),
            kept.Aggregate(UInt128.Zero, static (sum, o) => sum + o.Sum),
            job.Homes ?? [.. Enumerable.Range(0, _input.Files)]
        );
        if (wrong is not null)
        {
            throw new ExperimentException($"A job's output is wrong: {wrong}.");
        }

        long began = all.Min(static o => o.BeganNanos);
        return new ShuffleResult(
            began,
            (kept.Max(static o => o.LastNanos) - began) / NanosPerSecond,
            state.Counters.Single(static c => c.Name == "Map output bytes").Value,
            [.. kept.Select(o => Shape.RankOf(o.At!.Value))],
            string.Join('-', kept.Select(static o => o.Digest))
        );
    }

    // All at one time, so that they begin together.
    private string[] Submit(IReadOnlyList<ShuffleJob> jobs, string[] outputs) =>
        Await(async service =>
        {
            Task<JobAnswer>[] asked =
            [
                .. jobs.Zip(outputs, (job, output) => service.SubmitAsync(Describe(job, output)).AsTask()),
            ];
            List<string> names = [];
            foreach (Task<JobAnswer> one in asked)
            {
                JobAnswer answer = await one;
                names.Add(answer.State?.Name ?? throw new ExperimentException($"{answer.Status}: {answer.Words}"));
            }

            return names.ToArray();
        });

    private JobDescription Describe(ShuffleJob job, string output)
    {
        IReadOnlyList<string> inputs = job.Homes is { } homes
            ? [.. homes.Select(static h => $"/in/{h:0000}")]
            : ["/in"];
        return _input.Describe(
            new JobDescription(inputs, output)
            {
                Reduces = job.Reduces,
                CombinesOnTheWay = job.Combines,
                FirstRoot = job.FirstRoot,
                Servers = job.Servers,
                Trees = job.Trees,
                ReduceRate = job.ReduceRate,
            }
        );
    }

    private JobState? Find(string job) => Await(service => service.FindAsync(job)).State;

    private MadeOutput[] OutputsOf(string output) =>
        [.. _files.Outputs.Where(o => o.Path.StartsWith(output + '/', StringComparison.Ordinal))];

    // By who sends: who pulls counts what came in by its link.
    private Dictionary<(int Rank, Link Link), long> OnLinks()
    {
        var links = new Dictionary<(int Rank, Link Link), long>();
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            foreach (Runtime.Cubes.CounterValue value in CountersOf(rank, "pull_link_bytes"))
            {
                if (value.Link is { } link)
                {
                    int sender = Shape.RankOf(Shape.Step(Shape.At(rank), link));
                    links[(sender, link.Opposite())] = value.Value;
                }
            }
        }

        return links;
    }

    // What map tasks sort in, and what they gave, waits for no link.
    private long QueueBytes() =>
        !_watchesMemory
            ? 0
            : Enumerable
                .Range(0, Shape.Count)
                .Where(_cube.IsRunning)
                .Max(rank =>
                    StatusOf(rank)
                        .Claims.Where(static c => c.Name is not ("outputs" or "sorting"))
                        .Sum(static c => c.Bytes)
                );

    private Runtime.Cubes.ServiceStatus StatusOf(int rank) =>
        _cube.StatusOf(rank).Services.Single(static s => s.Name == Service);

    private IEnumerable<Runtime.Cubes.CounterValue> CountersOf(int rank, string name) =>
        _cube.IsRunning(rank) ? StatusOf(rank).Counters.Where(value => value.Name == name) : [];

    private T Await<T>(Func<CamdoopService, ValueTask<T>> call)
    {
        int rank = Enumerable.Range(0, Shape.Count).First(_cube.IsRunning);
        CamdoopService service = _cube.Service<CamdoopService>(rank);
        (bool isDone, T result) = (false, default!);
        _cube.ServerOf<CamdoopService>(rank).Loop.Run(async () => (result, isDone) = (await call(service), true));
        AwaitUntil(() => isDone, Slice);
        return result;
    }

    private void AwaitUntil(Func<bool> condition, TimeSpan slice)
    {
        const long Most = 1_000_000_000_000;
        for (long end = _cube.NowNanos + Most; !condition(); )
        {
            if (_cube.NowNanos > end)
            {
                throw new ExperimentException($"Not within {Most / NanosPerSecond} virtual seconds.");
            }

            _tick();
            _cube.Advance(slice);
        }
    }
}
