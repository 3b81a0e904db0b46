using System.Text;
using CamCube.Runtime.Services;
using CamCube.Services.Camdoop;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Settings;

namespace CamCube.Testing;

/// <summary>
/// Jobs with functions in C# for the tests of these: on a whole cube in virtual time, deterministic. Their assemblies
/// are loaded as on real servers, so a type must be public, and its statics are not the test's. The cube is there from
/// the first job on, and serves any number of them, one after another. One thread.
/// </summary>
public sealed class TestJob : IDisposable
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Most = TimeSpan.FromMinutes(10);
    private readonly CamdoopOptions _options;
    private readonly HashSet<string> _assemblies = new(StringComparer.Ordinal);
    private int _jobs;
    private bool _isReady;

    /// <summary>Jobs on a cube of this shape.</summary>
    /// <param name="x">Servers along x.</param>
    /// <param name="y">Servers along y.</param>
    /// <param name="z">Servers along z.</param>
    /// <param name="options">Settings of MapReduce; functions in C# are allowed in any case.</param>
    public TestJob(int x = 3, int y = 3, int z = 1, CamdoopOptions? options = null)
    {
        _options = options ?? new CamdoopOptions();
        _options.Assemblies = true;
        var simulator = new SimulatorOptions();
        simulator.Disk.CapacityBytes = 1L << 34;
        Cube = new TestCube(x, y, z, simulator)
            .Add(static server => new KeyValueService(server, new KeyValueOptions { SegmentBytes = 512 << 10 }))
            .Add(
                ServiceDefinition.Of(static activation => new FilesService(
                    activation.Server,
                    new FilesOptions { ChunkBytes = 64 << 10 },
                    activation.Dependency<IKeyValueStore>()
                ))
            )
            .Add(
                ServiceDefinition.Of(activation => new CamdoopService(
                    activation.Server,
                    _options,
                    activation.Dependency<IFiles>(),
                    activation.Dependency<IKeyValueStore>()
                ))
            );
    }

    /// <summary>The cube, for faults while a job runs.</summary>
    public TestCube Cube { get; }

    /// <summary>Reduces of the next jobs. Default 2.</summary>
    public int Reduces { get; set; } = 2;

    /// <summary>What says which reduce a pair of the next jobs goes to; null, the default: its key's hash.</summary>
    public Type? Partitioner { get; set; }

    /// <summary>Environment of the next jobs, as NAME=value.</summary>
    public IReadOnlyList<string> Environment { get; set; } = [];

    /// <summary>Files that the input of the next jobs is cut into, so that several servers have some of it, from 1.
    /// Default 4.</summary>
    public int Inputs { get; set; } = 4;

    /// <summary>How the last job ended: its counters, and its words if it failed.</summary>
    public JobState? State { get; private set; }

    /// <summary>Runs a job without a combiner.</summary>
    /// <param name="lines">The input.</param>
    /// <returns>Lines of the output, file by file.</returns>
    /// <exception cref="InvalidOperationException">It failed; the message has its words.</exception>
    public string[] Run<TMapper, TReducer>(IEnumerable<string> lines)
        where TMapper : IMapper
        where TReducer : IReducer => Run(typeof(TMapper), null, typeof(TReducer), lines);

    /// <summary>Runs a job.</summary>
    /// <param name="lines">The input.</param>
    /// <returns>Lines of the output, file by file.</returns>
    /// <exception cref="InvalidOperationException">It failed; the message has its words.</exception>
    public string[] Run<TMapper, TCombiner, TReducer>(IEnumerable<string> lines)
        where TMapper : IMapper
        where TCombiner : ICombiner
        where TReducer : IReducer => Run(typeof(TMapper), typeof(TCombiner), typeof(TReducer), lines);

    /// <inheritdoc/>
    public void Dispose() => Cube.Dispose();

    private string[] Run(Type mapper, Type? combiner, Type reducer, IEnumerable<string> lines)
    {
        Type?[] others = [combiner, reducer, Partitioner];
        if (Array.Find(others, t => t is not null && t.Assembly != mapper.Assembly) is { } foreign)
        {
            throw new ArgumentException($"{foreign} is of another assembly than {mapper}.");
        }

        AwaitReady();
        int number = ++_jobs;
        string[] all = [.. lines];
        for (int i = 0; i < Inputs; i++)
        {
            IEnumerable<string> part = all[(i * all.Length / Inputs)..((i + 1) * all.Length / Inputs)];
            Put($"/test/{number}/in/{i:000}", Encoding.UTF8.GetBytes(string.Concat(part.Select(static l => l + "\n"))));
        }

        var job = new JobDescription([$"/test/{number}/in"], $"/test/{number}/out")
        {
            Assembly = Put(mapper),
            Map = JobFunction.Type(mapper.FullName!),
            Combine = combiner is null ? null : JobFunction.Type(combiner.FullName!),
            Reduce = JobFunction.Type(reducer.FullName!),
            Partitioner = Partitioner?.FullName ?? "",
            Environment = Environment,
            Reduces = Reduces,
        };
        JobAnswer answer = Ask<CamdoopService, JobAnswer>(s => s.SubmitAsync(job));
        State = answer.State ?? throw new InvalidOperationException($"{answer.Status}: {answer.Words}");
        for (TimeSpan spent = default; !State.IsOver && spent < Most; spent += Step)
        {
            Cube.Advance(Step);
            State = Ask<CamdoopService, JobAnswer>(s => s.FindAsync(State.Name)).State ?? State;
        }

        return State.Phase == JobPhase.Done
            ? [.. Enumerable.Range(0, Reduces).SelectMany(r => LinesOf($"{job.Output}/part-{r:00000}"))]
            : throw new InvalidOperationException(State.Words ?? $"It is not over: {State}");
    }

    private void AwaitReady()
    {
        if (_isReady)
        {
            return;
        }

        _isReady = true;
        Cube.AwaitUntil(
            () =>
                Enumerable
                    .Range(0, Cube.Shape.Count)
                    .All(rank =>
                        Cube[rank].Service<KeyValueService>().ListGroups() is { Count: > 0 } groups
                        && groups.All(static g => g.Leader is not null)
                    ),
            "Not all groups of the key-value store have a leader"
        );
    }

    // The assembly of a type, in the file store.
    private string Put(Type type)
    {
        string path = $"/test/{type.Assembly.GetName().Name}.dll";
        if (_assemblies.Add(path))
        {
            Put(path, File.ReadAllBytes(type.Assembly.Location));
        }

        return path;
    }

    private void Put(string path, byte[] bytes)
    {
        FileStatus status = Ask<FilesService, FileStatus>(async files =>
        {
            using IFileWriter writer = files.OpenWrite(path);
            FileStatus written = await writer.WriteAsync(bytes);
            return written == FileStatus.Done ? (await writer.CommitAsync()).Status : written;
        });
        if (status != FileStatus.Done)
        {
            throw new InvalidOperationException($"{path} cannot be written: {status}");
        }
    }

    private string[] LinesOf(string path)
    {
        byte[] bytes = Ask<FilesService, byte[]>(async files =>
        {
            using IFileReader reader = await files.OpenReadAsync(path);
            using var all = new MemoryStream();
            while (await reader.ReadAsync() is { Status: FileStatus.Done, Bytes: { IsEmpty: false } part })
            {
                all.Write(part.Span);
            }

            return all.ToArray();
        });
        return Encoding.UTF8.GetString(bytes).Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    // On the loop of the first server, as its callers do.
    private T Ask<TService, T>(Func<TService, ValueTask<T>> call)
        where TService : class, ICamCubeService
    {
        TService service = Cube[0].Service<TService>();
        var ended = new TaskCompletionSource<T>();
        Cube.Cube.ServerOf<TService>(0)
            .Loop.Run(async () =>
            {
                try
                {
                    ended.SetResult(await call(service));
                }
                catch (Exception e)
                {
                    ended.SetException(e);
                }
            });
        return Cube.Await(new ValueTask<T>(ended.Task));
    }
}
