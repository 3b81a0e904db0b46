using System.Buffers;
using CamCube.Services.Images.Counting;
using CamCube.Services.Images.Pictures;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Services.Images.Storing;

namespace CamCube.Services.Images.Roots;

/// <summary>
/// Variants at the server of a name: from the cache, or made again from the original; those who miss the same image at
/// once wait for the same work. Loop only.
/// </summary>
internal sealed class VariantSide(
    IServer server,
    ImagesOptions options,
    Originals originals,
    Thumbnails thumbnails,
    PictureWorkers workers,
    ImagesCounters counters
)
{
    // Somebody replaces the picture all the time.
    private const int MostTries = 8;
    private readonly Dictionary<(Key Key, ulong Version), Task<MadeVariants>> _making = [];
    private readonly VariantSpec[] _specs = [.. options.Made.Select(static variant => variant.Spec)];

    /// <summary>Images whose variants are being made again.</summary>
    public int Making => _making.Count;

    /// <summary>A mistake that is made, for tests.</summary>
    public ImagesMistake Mistake { get; set; }

    /// <summary>Gets a variant.</summary>
    /// <param name="place">Of which image.</param>
    /// <param name="variant">Its number in the settings.</param>
    /// <param name="into">Gets its bytes, once it is there.</param>
    public async ValueTask<ImageAnswer> GetAsync(ImagePlace place, int variant, IBufferWriter<byte> into)
    {
        counters.Variants.Add();
        string name = options.Made[variant].Name;
        for (int i = 0; i < MostTries; i++)
        {
            // No disk is asked for what the cache has: that there is one of this version says that it is a picture.
            ImageAnswer there = await originals.VersionOfAsync(place);
            if (there.Status != ImageStatus.Done)
            {
                return new ImageAnswer(there.Status);
            }

            if (await thumbnails.GetAsync(place, CachedAs(there.Version), name, into) is { } hit)
            {
                counters.Hits.Add();
                return hit with { Version = there.Version };
            }

            Found found = await originals.FindAsync(place);
            if (found.Record is not { } record)
            {
                return new ImageAnswer(found.Status);
            }

            if (found.Version != there.Version)
            {
                continue;
            }

            if (!_making.TryGetValue((place.Key, found.Version), out Task<MadeVariants>? making))
            {
                if (_making.Count >= options.Jobs)
                {
                    counters.Busy.Add();
                    return new ImageAnswer(ImageStatus.Busy);
                }

                making = MakeAsync(place, found, record);
                if (!making.IsCompleted)
                {
                    _making.Add((place.Key, found.Version), making);
                }
            }

            MadeVariants made = await making;
            if (made.Status == ImageStatus.Conflict)
            {
                continue;
            }

            if (made.Status != ImageStatus.Done)
            {
                return new ImageAnswer(made.Status) { Words = made.Words };
            }

            into.Write(made.Variants[variant].Bytes.Span);
            return AnswerOf(made.Variants[variant], found.Version);
        }

        return new ImageAnswer(ImageStatus.Busy);
    }

    /// <summary>Puts the variants of a version into the cache. False: not all are there.</summary>
    public async ValueTask<bool> KeepAsync(ImagePlace place, ulong version, IReadOnlyList<Variant> made)
    {
        bool isWhole = made.Count == _specs.Length;
        for (int i = 0; i < made.Count; i++)
        {
            isWhole &= await thumbnails.SetAsync(place, CachedAs(version), options.Made[i].Name, made[i]);
        }

        return isWhole;
    }

    /// <summary>Says of an image that was found whether all its variants are there.</summary>
    public async ValueTask<ImageAnswer> LookAsync(ImagePlace place, ImageAnswer found)
    {
        bool isWhole = true;
        for (int i = 0; i < _specs.Length && found.Status == ImageStatus.Done; i++)
        {
            string name = options.Made[i].Name;
            isWhole &= await thumbnails.InspectAsync(place, CachedAs(found.Version), name) is not null;
        }

        return found with
        {
            IsPending = !isWhole,
        };
    }

    /// <summary>Makes the variants of a picture. Busy: no worker was free while one could have been done in
    /// time.</summary>
    /// <param name="header">What its header says.</param>
    /// <param name="picture">Its bytes.</param>
    /// <param name="beganNanos">When the work began that wants them.</param>
    public async ValueTask<PictureResult> MakeAsync(PictureHeader header, ReadOnlyMemory<byte> picture, long beganNanos)
    {
        // Behind pictures that each keep a worker for its whole time, it would hold its bytes and its place among the
        // jobs long after who sent it has given up. One that was begun is finished.
        using var waits = CancellationTokenSource.CreateLinkedTokenSource(server.Stopping);
        ServerTimer patience = server.CreateTimer(waits.Cancel);
        patience.ArmAt(beganNanos + (long)options.LongestWait.TotalNanoseconds);
        try
        {
            PictureResult made = await workers.MakeAsync(header, picture, _specs, waits.Token);
            bool isImpatient =
                made.Status == PictureStatus.Stopped
                && waits.IsCancellationRequested
                && !server.Stopping.IsCancellationRequested;
            return isImpatient ? new PictureResult(PictureStatus.Busy, [], "") : made;
        }
        finally
        {
            patience.Cancel();
        }
    }

    private ulong CachedAs(ulong version) => Mistake == ImagesMistake.ForgetsVersions ? 0 : version;

    private async Task<MadeVariants> MakeAsync(ImagePlace place, Found found, ImageRecord record)
    {
        counters.Remade.Add();
        long beganNanos = server.NowNanos;
        if (!server.Memory.TryClaim("originals", found.Length, out IMemoryClaim? claim))
        {
            counters.Busy.Add();
            return new MadeVariants(ImageStatus.Busy, null, []);
        }

        byte[] picture = ArrayPool<byte>.Shared.Rent((int)found.Length);
        try
        {
            Memory<byte> whole = picture.AsMemory(0, (int)found.Length);
            ImageStatus read = await originals.ReadAsync(
                place,
                found.Version,
                whole,
                beganNanos + (long)options.Timeout.TotalNanoseconds
            );
            if (read != ImageStatus.Done)
            {
                return new MadeVariants(read, null, []);
            }

            PictureResult result = await MakeAsync(record.Header, whole, beganNanos);
            if (result.Status != PictureStatus.Done)
            {
                counters.Busy.Add(result.Status == PictureStatus.Busy ? 1 : 0);
                return new MadeVariants(PictureStatuses.Of(result.Status), result.Text, []);
            }

            await KeepAsync(place, found.Version, result.Variants);
            return new MadeVariants(ImageStatus.Done, null, result.Variants);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(picture);
            claim.Release();
            _making.Remove((place.Key, found.Version));
        }
    }

    private static ImageAnswer AnswerOf(in Variant variant, ulong version) =>
        new(ImageStatus.Done, version)
        {
            MediaType = Wire.MediaTypes.Of(variant.Format),
            Width = variant.Width,
            Height = variant.Height,
            Length = variant.Bytes.Length,
        };
}
