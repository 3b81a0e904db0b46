using CamCube.Experiments.KeyValues;
using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Services.Images;
using CamCube.Services.Images.Pictures;
using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Services.Images.Storing;
using CamCube.Services.KeyValue;
using CamCube.Topology;
using CamCube.Workers;

namespace CamCube.Experiments.Images;

/// <summary>A cube in virtual time with the image store on every server: its links and disks are those of
/// <see cref="ValueCube"/>, its workers simulated, and enough of them.</summary>
/// <param name="shape">Axis sizes.</param>
/// <param name="seed">Of all that is random.</param>
/// <param name="detectionTime">Silence after which neighbours are suspected.</param>
/// <param name="hasDisk">Disks of flash; else they take no time.</param>
/// <param name="tick">Called while time passes.</param>
/// <param name="store">Settings of the key-value store; null: as they are.</param>
internal sealed class ImagesCube(
    TorusShape shape,
    ulong seed,
    TimeSpan detectionTime,
    bool hasDisk,
    Action? tick,
    KeyValueOptions? store = null
) : IDisposable
{
    // As many pictures as a server gets in these experiments never wait for a worker: what is compared is the network.
    private const int Workers = 64;
    private const int Copies = 3;
    private static readonly ImagesOptions Options = new();
    private readonly CubeView _whole = CubeView.Whole(shape);
    private readonly ValueCube _cube = new(
        shape,
        seed,
        store ?? new KeyValueOptions(),
        detectionTime,
        hasDisk,
        tick,
        [
            ServiceDefinition.Of(a => new CacheService(a.Server, new CacheOptions())),
            ServiceDefinition.Of(a => new ImagesService(
                a.Server,
                Options,
                a.Dependency<IKeyValueStore>(),
                a.Dependency<ICache>(),
                new PictureWorkers(SimulatedPictures.Workers(a.Server, new WorkerOptions { Processes = Workers }))
            )),
        ]
    );

    /// <summary>The cube below.</summary>
    public ValueCube Below => _cube;

    /// <summary>The image store of a running server.</summary>
    public IImageStore StoreOf(int rank) => _cube.Cube.Service<ImagesService>(rank);

    /// <summary>A server as the image store sees it.</summary>
    public IServer ServerOf(int rank) => _cube.Cube.ServerOf<ImagesService>(rank);

    /// <summary>The servers that have an image: those of its key when all were there. One that is lost is not replaced
    /// before <see cref="KeyValueOptions.ReplicateAfter"/>.</summary>
    public int[] PlacesOf(string name)
    {
        Span<Coordinate> servers = stackalloc Coordinate[Copies];
        ulong route = ImagePlace.Of(name, Options.Table).Key.Route;
        int count = _whole.GetServersForKey(route, default, servers);
        return [.. servers[..count].ToArray().Select(one => _cube.Cube.Shape.RankOf(one))];
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();
}
