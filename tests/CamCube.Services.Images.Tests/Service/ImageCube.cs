using System.Buffers;
using System.Globalization;
using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Services.Images.Pictures;
using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Settings;
using CamCube.Testing;
using CamCube.Workers;

namespace CamCube.Services.Images.Tests.Service;

/// <summary>A test cube with the image store, the key-value store and the cache on every server.</summary>
internal sealed class ImageCube : IDisposable
{
    public ImageCube(
        int x,
        int y,
        int z,
        ImagesOptions? options = null,
        bool hasCache = true,
        bool hasWorkers = true,
        string mode = "",
        int? tailBytes = null
    )
    {
        Options = options ?? new ImagesOptions();
        var simulator = new SimulatorOptions();
        simulator.Disk.CapacityBytes = 1L << 36;
        var store = new KeyValueOptions { Mode = mode };
        store.TailBytes = tailBytes ?? store.TailBytes;
        Cube = new TestCube(x, y, z, simulator).Add(s => new KeyValueService(s, store));
        if (hasCache)
        {
            Cube.Add(s => new CacheService(s, new CacheOptions()));
        }

        Cube.Add(hasWorkers ? Definition(Options) : WithoutWorkers(Options));
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

    public ImagesOptions Options { get; }

    public TestCube Cube { get; }

    public ImagesService this[int rank] => Cube[rank].Service<ImagesService>();

    public static ServiceDefinition Definition(ImagesOptions options) =>
        ServiceDefinition.Of(activation => new ImagesService(
            activation.Server,
            options,
            activation.Dependency<IKeyValueStore>(),
            activation.Dependency<ICache>(),
            new PictureWorkers(SimulatedPictures.Workers(activation.Server, WorkersOf(options)))
        ));

    private static WorkerOptions WorkersOf(ImagesOptions options) =>
        new()
        {
            Processes = options.Workers == 0 ? 2 : options.Workers,
            QueueLimit = options.WorkerQueue,
            Deadline = options.WorkerTime,
        };

    // As where the package has no native file for the system.
    private static ServiceDefinition WithoutWorkers(ImagesOptions options) =>
        ServiceDefinition.Of(activation => new ImagesService(
            activation.Server,
            options,
            activation.Dependency<IKeyValueStore>(),
            activation.Dependency<ICache>(),
            new PictureWorkers(
                new FunctionWorkers(
                    activation.Server,
                    static _ => new WorkerResult(WorkerStatus.Unavailable, default, "there is no libvips here"),
                    new WorkerOptions()
                )
            )
        ));

    /// <summary>The rank of the server of a name.</summary>
    public int RootOf(string name, int seenBy = 0) =>
        Cube.Shape.RankOf(Cube.Cube.ServerOf<ImagesService>(seenBy).Topology.RootOf(KeyOf(name)));

    /// <summary>A name whose server is this one.</summary>
    public string NameAt(int rank, int number = 0)
    {
        for (int i = 0; ; i++)
        {
            string name = $"picture-{i}.jpg";
            if (KeyOf(name).HomeIn(Cube.Shape) == Cube.Shape.At(rank) && number-- == 0)
            {
                return name;
            }
        }
    }

    /// <summary>Calls the service on its server's loop, as its callers do.</summary>
    public Task<T> Start<T>(int rank, Func<ImagesService, ValueTask<T>> call)
    {
        ImagesService service = this[rank];
        var ended = new TaskCompletionSource<T>();
        Cube.Cube.ServerOf<ImagesService>(rank).Loop.Run(async () => ended.SetResult(await call(service)));
        return ended.Task;
    }

    /// <summary>The same, to its end.</summary>
    public T Run<T>(int rank, Func<ImagesService, ValueTask<T>> call) =>
        Cube.Await(new ValueTask<T>(Start(rank, call)));

    public Task<ImageAnswer> StartPut(int rank, string name, byte[] picture) =>
        Start(rank, s => s.PutAsync(name, picture, default));

    public ImageAnswer Put(int rank, string name, byte[] picture, ImageCondition condition = default) =>
        Run(rank, s => s.PutAsync(name, picture, condition));

    public ImageAnswer Find(int rank, string name) => Run(rank, s => s.FindAsync(name));

    public ImageInfo Describe(int rank, string name) => Run(rank, s => s.DescribeAsync(name));

    public ImageAnswer Delete(int rank, string name, ImageCondition condition = default) =>
        Run(rank, s => s.DeleteAsync(name, condition));

    public (ImageAnswer Answer, byte[] Bytes) Variant(int rank, string name, string variant = "thumb")
    {
        var into = new ArrayBufferWriter<byte>();
        ImageAnswer answer = Run(rank, s => s.GetVariantAsync(name, variant, into));
        return (answer, into.WrittenSpan.ToArray());
    }

    public (ImageAnswer Answer, byte[] Bytes) Original(int rank, string name) => Run(rank, s => ReadAsync(s, name));

    /// <summary>The end of an operation that has ended.</summary>
    public static ImageAnswer EndOf(Task<ImageAnswer> ended)
    {
        Assert.True(ended.IsCompleted);
        return ended.GetAwaiter().GetResult();
    }

    /// <summary>Items in the cache of a server.</summary>
    public int CachedAt(int rank)
    {
        // Of one server they are there at once.
        IReadOnlyList<CacheStatistic> all = Cube[rank]
            .Service<CacheService>()
            .GetStatisticsAsync(wholeCube: false)
            .GetAwaiter()
            .GetResult();
        return int.Parse(all.First(one => one.Name == "curr_items").Value, CultureInfo.InvariantCulture);
    }

    /// <summary>Ends a test: nothing waits anywhere, and no packet is left.</summary>
    public void AssertQuiet()
    {
        Cube.Lose = null;
        Cube.Advance(TimeSpan.FromSeconds(15));
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            if (Cube[rank].IsRunning)
            {
                Assert.Equal((0, 0, 0, 0), this[rank].Open);
            }
        }

        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();

    private static Key KeyOf(string name) => KeyValueKey.Of($"image/{name}").ToKey();

    private static async ValueTask<(ImageAnswer Answer, byte[] Bytes)> ReadAsync(ImagesService service, string name)
    {
        using IImageReader reader = await service.OpenReadAsync(name);
        MemoryStream bytes = new();
        while (reader.Answer.Status == ImageStatus.Done)
        {
            (ImageStatus status, ReadOnlyMemory<byte> part) = await reader.ReadAsync();
            Assert.Equal(ImageStatus.Done, status);
            if (part.IsEmpty)
            {
                break;
            }

            bytes.Write(part.Span);
        }

        return (reader.Answer, bytes.ToArray());
    }
}
