using System.Buffers;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Workers;

namespace CamCube.Services.Images.Pictures;

/// <summary>
/// Makes variants of pictures in workers. In real servers these are processes that all servers of this process share;
/// in virtual time a function (<see cref="Simulated.SimulatedPictures"/>). Any thread, if the workers allow it; on a
/// loop, awaits go on there.
/// </summary>
/// <param name="workers">Who does it. Disposed of with this.</param>
public sealed class PictureWorkers(IWorkers workers) : IDisposable
{
    /// <summary>Variants of one request.</summary>
    public const int MaxVariants = PictureFrames.MaxVariants;

    private int _lastId;

    /// <summary>What the workers did, and which guard their system lacks.</summary>
    public WorkersSummary Summary => workers.Summary;

    /// <summary>What the newest worker says of its library and its guards, as in "libvips 8.18.7; lacks: landlock";
    /// empty before the first.</summary>
    public string Facts => PictureFrames.TextOf(workers.Summary.Hello.Span);

    /// <summary>The pool of this process.</summary>
    /// <param name="options">How many workers, and what one may use.</param>
    /// <param name="log">Gets what workers and the pool say; any thread.</param>
    public static PictureWorkers Open(WorkerOptions options, Action<string>? log) =>
        new(WorkerPools.Open(PictureProgram.Kind(options, log)));

    /// <summary>Makes variants.</summary>
    /// <param name="header">What <see cref="PictureHeader.Read"/> said of the picture.</param>
    /// <param name="picture">Its bytes; not changed until it has ended.</param>
    /// <param name="variants">1 to <see cref="MaxVariants"/>.</param>
    /// <param name="cancel">Takes it back while it waits.</param>
    public async ValueTask<PictureResult> MakeAsync(
        PictureHeader header,
        ReadOnlyMemory<byte> picture,
        VariantSpec[] variants,
        CancellationToken cancel = default
    )
    {
        ArgumentOutOfRangeException.ThrowIfZero(variants.Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(variants.Length, MaxVariants);
        uint id = (uint)Interlocked.Increment(ref _lastId) & 0x7FFF_FFFF;
        byte[] head = PictureFrames.Request(id, header, picture.Length, variants);
        WorkerJob job = new(
            PictureSegment.Join(head, picture),
            new ReadOnlySequence<byte>(picture),
            SimulatedPictures.CostOf(header)
        );
        WorkerResult result = await workers.RunAsync(job, cancel);
        return result.Status switch
        {
            WorkerStatus.Answered => PictureFrames.Read(result.Answer, id, variants.Length)
                ?? Failed(PictureStatus.Killer),
            WorkerStatus.Busy => Failed(PictureStatus.Busy),
            WorkerStatus.Unavailable => Failed(PictureStatus.Unavailable),
            WorkerStatus.Cancelled or WorkerStatus.Stopped => Failed(PictureStatus.Stopped),
            _ => Failed(PictureStatus.Killer),
        };

        PictureResult Failed(PictureStatus status) => new(status, [], result.Text);
    }

    /// <inheritdoc/>
    public void Dispose() => workers.Dispose();
}
