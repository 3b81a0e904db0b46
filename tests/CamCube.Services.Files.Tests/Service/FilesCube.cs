using CamCube.Runtime.Services;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.Files.Tests.Service;

/// <summary>A test cube with the file store and the key-value store on every server.</summary>
internal sealed class FilesCube : IDisposable
{
    public FilesCube(int x, int y, int z, FilesOptions? options = null, long diskBytes = 1L << 36)
    {
        Options = options ?? new FilesOptions { ChunkBytes = 64 << 10 };
        var simulator = new SimulatorOptions();
        simulator.Disk.CapacityBytes = diskBytes;
        Cube = new TestCube(x, y, z, simulator)
            .Add(s => new KeyValueService(
                s,
                new KeyValueOptions { SegmentBytes = 512 << 10, ReplicateAfter = TimeSpan.FromSeconds(10) }
            ))
            .Add(
                ServiceDefinition.Of(activation => new FilesService(
                    activation.Server,
                    Options,
                    activation.Dependency<IKeyValueStore>()
                ))
            );
        AwaitLed();
    }

    public FilesOptions Options { get; }

    public TestCube Cube { get; }

    public FilesService this[int rank] => Cube[rank].Service<FilesService>();

    public void AwaitLed() =>
        Cube.AwaitUntil(
            () =>
                Enumerable
                    .Range(0, Cube.Shape.Count)
                    .Where(rank => Cube[rank].IsRunning)
                    .All(rank =>
                        Cube[rank].Service<KeyValueService>().ListGroups() is { Count: > 0 } groups
                        && groups.All(g => g.Leader is not null)
                    ),
            "Not all groups have a leader"
        );

    /// <summary>Bytes of a file, which differ everywhere.</summary>
    public static byte[] BytesOf(int seed, int length)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Calls the service on its server's loop, as its callers do.</summary>
    public Task<T> Start<T>(int rank, Func<FilesService, ValueTask<T>> call)
    {
        FilesService service = this[rank];
        var ended = new TaskCompletionSource<T>();
        Cube.Cube.ServerOf<FilesService>(rank)
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
    public T Run<T>(int rank, Func<FilesService, ValueTask<T>> call) => Cube.Await(new ValueTask<T>(Start(rank, call)));

    public FileAnswer Put(int rank, string path, byte[] bytes, FileCreation creation = default, int piece = 10_000) =>
        Run(rank, s => WriteAsync(s, path, bytes, creation, piece));

    public Task<FileAnswer> StartPut(int rank, string path, byte[] bytes, int piece = 10_000) =>
        Start(rank, s => WriteAsync(s, path, bytes, default, piece));

    public FileAnswer Find(int rank, string path) => Run(rank, s => s.FindAsync(path));

    public FileAnswer Delete(int rank, string path, bool recursive = false) =>
        Run(rank, s => s.DeleteAsync(path, recursive));

    public (FileStatus Status, byte[] Bytes) Get(int rank, string path, long from = 0, long length = long.MaxValue) =>
        Run(rank, s => ReadAsync(s, path, from, length));

    /// <summary>Names in a directory, in their order.</summary>
    public string[] List(int rank, string directory, int limit = 1_000) =>
        Run(
            rank,
            async s =>
            {
                SortedSet<string> names = new(StringComparer.Ordinal);
                string? cursor = null;
                do
                {
                    FilePage page = await s.ListAsync(directory, cursor, limit);
                    Assert.Equal(FileStatus.Done, page.Status);
                    names.UnionWith(page.Entries.Select(static one => FilePath.NameOf(one.Path)));
                    cursor = page.Next;
                } while (cursor is not null);
                return names.ToArray();
            }
        );

    /// <summary>All paths that can be reached from the root.</summary>
    public SortedSet<string> Walk(int rank, string directory = FilePath.Root)
    {
        SortedSet<string> all = new(StringComparer.Ordinal);
        foreach (string name in List(rank, directory))
        {
            string path = FilePath.Join(directory, name);
            all.Add(path);
            if (Find(rank, path).Entry is { IsDirectory: true })
            {
                all.UnionWith(Walk(rank, path));
            }
        }

        return all;
    }

    /// <summary>Keys of chunks in the key-value store.</summary>
    public int Chunks(int rank) => Keys(rank, "chunk{");

    /// <summary>Keys of the key-value store that begin so.</summary>
    public int Keys(int rank, string prefix) =>
        Run(
            rank,
            async _ =>
            {
                KeyValueService store = Cube[rank].Service<KeyValueService>();
                HashSet<string> keys = [];
                string? cursor = null;
                do
                {
                    KeyValuePage page = await store.ListAsync(KeyValueKey.Of(prefix), cursor, 1_000);
                    Assert.Equal(KeyValueStatus.Done, page.Status);
                    keys.UnionWith(page.Keys.Select(static key => Convert.ToHexString(key.Key.Span)));
                    cursor = page.Next;
                } while (cursor is not null);
                return keys.Count;
            }
        );

    /// <summary>The end of an operation that has ended.</summary>
    public static T EndOf<T>(Task<T> ended)
    {
        Assert.True(ended.IsCompleted);
        return ended.GetAwaiter().GetResult();
    }

    public void AssertQuiet()
    {
        Cube.Lose = null;
        Cube.Advance(TimeSpan.FromSeconds(15));
        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();

    private static async ValueTask<FileAnswer> WriteAsync(
        FilesService service,
        string path,
        byte[] bytes,
        FileCreation creation,
        int piece
    )
    {
        using IFileWriter writer = service.OpenWrite(path, creation);
        for (int at = 0; at < bytes.Length; at += piece)
        {
            FileStatus status = await writer.WriteAsync(bytes.AsMemory(at, Math.Min(piece, bytes.Length - at)));
            if (status != FileStatus.Done)
            {
                return new FileAnswer(status);
            }
        }

        return await writer.CommitAsync();
    }

    private static async ValueTask<(FileStatus Status, byte[] Bytes)> ReadAsync(
        FilesService service,
        string path,
        long from,
        long length
    )
    {
        using IFileReader reader = await service.OpenReadAsync(path);
        reader.Select(from, length);
        MemoryStream bytes = new();
        while (true)
        {
            FilePart part = await reader.ReadAsync();
            if (part.Status != FileStatus.Done || part.Bytes.IsEmpty)
            {
                return (part.Status, bytes.ToArray());
            }

            bytes.Write(part.Bytes.Span);
        }
    }
}
