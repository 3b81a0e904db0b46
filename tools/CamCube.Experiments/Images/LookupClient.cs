using System.Buffers;
using CamCube.Services.Images;

namespace CamCube.Experiments.Images;

/// <summary>Looks thumbnails up through one server, one after the other, each of an image that is drawn from all. Loop
/// only.</summary>
internal sealed class LookupClient(ImagesCube cube, int rank, DrawStream draws, IReadOnlyList<string> images)
{
    private readonly ArrayBufferWriter<byte> _bytes = new();
    private bool _isStopped;

    /// <summary>Asks for variants, which the cache has; else for originals.</summary>
    public required bool AsksForVariants { get; init; }

    /// <summary>Lookups that brought something else than a thumbnail's bytes.</summary>
    public int Failed { get; private set; }

    /// <summary>No lookup is open.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>When each thumbnail came, and how long that took.</summary>
    public List<(long At, long Took)> Done { get; } = [];

    /// <summary>Begins.</summary>
    public void Start() => cube.ServerOf(rank).Loop.Run(RunAsync);

    /// <summary>Ends with the lookup that it is at.</summary>
    public void Stop() => _isStopped = true;

    private async ValueTask RunAsync()
    {
        // Its own clock: that of the cube moves in steps of milliseconds.
        IServer server = cube.ServerOf(rank);
        IImageStore store = cube.StoreOf(rank);
        while (!_isStopped)
        {
            string name = images[draws.Next(images.Count)];
            long began = server.NowNanos;
            _bytes.ResetWrittenCount();
            ImageStatus status = AsksForVariants
                ? (await store.GetVariantAsync(name, store.Variants[0], _bytes)).Status
                : await ReadAsync(store, name);
            if (status == ImageStatus.Done && _bytes.WrittenCount == LookupExperiment.ThumbnailBytes)
            {
                Done.Add((cube.Below.NowNanos, server.NowNanos - began));
                continue;
            }

            Failed++;
            if (!await server.DelayAsync(TimeSpan.FromMilliseconds(1)))
            {
                // The server is stopped.
                break;
            }
        }

        HasEnded = true;
    }

    private async ValueTask<ImageStatus> ReadAsync(IImageStore store, string name)
    {
        using IImageReader reader = await store.OpenReadAsync(name);
        if (reader.Answer.Status != ImageStatus.Done)
        {
            return reader.Answer.Status;
        }

        while (true)
        {
            (ImageStatus status, ReadOnlyMemory<byte> bytes) = await reader.ReadAsync();
            if (status != ImageStatus.Done || bytes.IsEmpty)
            {
                return status;
            }

            _bytes.Write(bytes.Span);
        }
    }
}
