using System.Text;
using CamCube.Runtime.Services;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Settings;
using CamCube.Testing;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>A test cube with MapReduce, the file store and the key-value store on every server. Programs are
/// functions.</summary>
internal sealed class CamdoopCube : IDisposable
{
    public CamdoopCube(
        int x,
        int y,
        int z,
        CamdoopOptions? options = null,
        int chunkBytes = 64 << 10,
        int programs = 4,
        long linkBitsPerSecond = 1_000_000_000,
        params string[] tables
    )
    {
        Options = options ?? new CamdoopOptions();
        Options.Programs = true;
        var simulator = new SimulatorOptions { LinkBitsPerSecond = linkBitsPerSecond };
        simulator.Disk.CapacityBytes = 1L << 36;
        Cube = new TestCube(x, y, z, simulator)
            .Add(s => new KeyValueService(
                s,
                new KeyValueOptions
                {
                    SegmentBytes = 512 << 10,
                    ReplicateAfter = TimeSpan.FromSeconds(10),
                    Tables = tables,
                }
            ))
            .Add(
                ServiceDefinition.Of(activation => new FilesService(
                    activation.Server,
                    new FilesOptions { ChunkBytes = chunkBytes },
                    activation.Dependency<IKeyValueStore>()
                ))
            )
            .Add(
                ServiceDefinition.Of(activation => new CamdoopService(
                    activation.Server,
                    Options,
                    activation.Dependency<IFiles>(),
                    activation.Dependency<IKeyValueStore>(),
                    _ => new FunctionPrograms(activation.Server, Programs, new ProgramsOptions { Programs = programs }),
                    isSimulated: true
                ))
            );
        Cube.AwaitUntil(
            () =>
                Enumerable
                    .Range(0, Cube.Shape.Count)
                    .All(rank =>
                        Cube[rank].Service<KeyValueService>().ListGroups() is { Count: > 0 } groups
                        && groups.All(g => g.Leader is not null)
                    ),
            "Not all groups have a leader"
        );
    }

    public CamdoopOptions Options { get; }

    public TestCube Cube { get; }

    /// <summary>What programs do, by name: may be added to at any time.</summary>
    public Dictionary<string, ProgramFunction> Programs { get; } =
        new()
        {
            ["cat"] = static (_, input) => new FunctionEnd(input.ToArray()),
            ["words"] = static (_, input) => new FunctionEnd(Lines(WordsOf(Text(input)).Select(static w => $"{w}\t1"))),
            ["sum"] = static (_, input) => new FunctionEnd(Lines(SumsOf(Text(input)))),
        };

    public CamdoopService this[int rank] => Cube[rank].Service<CamdoopService>();

    /// <summary>Calls a service on its server's loop, as its callers do.</summary>
    public Task<T> Start<TService, T>(int rank, Func<TService, ValueTask<T>> call)
        where TService : CamCubeService
    {
        TService service = Cube[rank].Service<TService>();
        var ended = new TaskCompletionSource<T>();
        Cube.Cube.ServerOf<TService>(rank)
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
        return ended.Task;
    }

    /// <summary>The same, to its end.</summary>
    public T Run<TService, T>(int rank, Func<TService, ValueTask<T>> call)
        where TService : CamCubeService => Cube.Await(new ValueTask<T>(Start(rank, call)));

    public void Put(string path, string text) => Put(path, Encoding.UTF8.GetBytes(text));

    public void Put(string path, byte[] bytes)
    {
        FileStatus status = Run<FilesService, FileStatus>(
            0,
            async files =>
            {
                using IFileWriter writer = files.OpenWrite(path);
                for (int at = 0; at < bytes.Length; at += 10_000)
                {
                    await writer.WriteAsync(bytes.AsMemory(at, Math.Min(10_000, bytes.Length - at)));
                }

                return (await writer.CommitAsync()).Status;
            }
        );
        Assert.Equal(FileStatus.Done, status);
    }

    public byte[]? Get(string path, int rank = 0) =>
        Run<FilesService, byte[]?>(
            rank,
            async files =>
            {
                using IFileReader reader = await files.OpenReadAsync(path);
                using var all = new MemoryStream();
                while (await reader.ReadAsync() is { Status: FileStatus.Done, Bytes: { IsEmpty: false } bytes })
                {
                    all.Write(bytes.Span);
                }

                return reader.Answer.Status == FileStatus.Done ? all.ToArray() : null;
            }
        );

    public string[] List(string directory, int rank = 0) =>
        Run<FilesService, string[]>(
            rank,
            async files =>
                [.. (await files.ListAsync(directory)).Entries.Select(static e => e.Path).Order(StringComparer.Ordinal)]
        );

    /// <summary>The output of a job, file by file.</summary>
    public string[] Output(string directory, int reduces, int rank = 0) =>
        [
            .. Enumerable
                .Range(0, reduces)
                .Select(r => Encoding.UTF8.GetString(Get($"{directory}/part-{r:00000}", rank)!)),
        ];

    public string Submit(JobDescription job, int rank = 0)
    {
        JobAnswer answer = Run<CamdoopService, JobAnswer>(rank, s => s.SubmitAsync(job));
        Assert.Equal((JobStatus.Done, null), (answer.Status, answer.Words));
        return answer.State!.Name;
    }

    public JobState? Find(string job, int rank = 0) =>
        Run<CamdoopService, JobAnswer>(rank, s => s.FindAsync(job)).State;

    /// <summary>Waits until a job is over.</summary>
    public JobState Await(string job, int rank = 0, int seconds = 120)
    {
        JobState? state = null;
        for (int i = 0; i < seconds * 4 && state is not { IsOver: true }; i++)
        {
            Cube.Advance(TimeSpan.FromMilliseconds(250));
            state = Find(job, rank) ?? state;
        }

        Assert.True(state is { IsOver: true }, $"{job} goes on: {state}");
        return state!;
    }

    public static string Text(ReadOnlyMemory<byte> bytes) => Encoding.UTF8.GetString(bytes.Span);

    public static byte[] Lines(IEnumerable<string> lines) =>
        Encoding.UTF8.GetBytes(string.Concat(lines.Select(static l => l + "\n")));

    public static IEnumerable<string> WordsOf(string text) =>
        text.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries);

    // What comes is in order.
    public static IEnumerable<string> SumsOf(string text)
    {
        string? word = null;
        long sum = 0;
        foreach (string line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] parts = line.Split('\t');
            if (parts[0] != word && word is not null)
            {
                yield return $"{word}\t{sum}";
                sum = 0;
            }

            word = parts[0];
            sum += long.Parse(parts[1], System.Globalization.CultureInfo.InvariantCulture);
        }

        if (word is not null)
        {
            yield return $"{word}\t{sum}";
        }
    }

    /// <summary>Text of so many words.</summary>
    public static string TextOf(int seed, int words)
    {
        var random = new Random(seed);
        var text = new StringBuilder();
        for (int i = 0; i < words; i++)
        {
            text.Append("word").Append(random.Next(1, 200) * random.Next(1, 20));
            text.Append(random.Next(8) == 0 ? '\n' : ' ');
        }

        return text.Append('\n').ToString();
    }

    public void Dispose() => Cube.Dispose();
}
