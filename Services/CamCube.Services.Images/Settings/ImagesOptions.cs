using System.ComponentModel.DataAnnotations;
using CamCube.Services.Images.Pictures.Formats;

namespace CamCube.Services.Images;

/// <summary>Settings of the image store (<c>CamCube:Services:images</c>). The same on all servers of a cube.</summary>
public sealed class ImagesOptions : IValidatableObject
{
    /// <summary>Most variants.</summary>
    public const int MostVariants = 8;

    private static readonly string[] Standard = ["thumb=160x160"];
    private VariantSetting[]? _variants;

    /// <summary>Variants that are made of each image, at most 8: <c>name=WIDTHxHEIGHT</c>, behind that perhaps
    /// <c>,cover</c> (it fills both sides and is cut; otherwise it fits inside) and <c>,QUALITY</c> (1 to 100).
    /// Default: none is named, which means <c>thumb=160x160</c>. One that comes later is made of older images when
    /// somebody asks for it; one whose size changes keeps the old one of older images until the cache has lost
    /// it.</summary>
    public IReadOnlyList<string> Variants { get; set; } = [];

    /// <summary>Table of the key-value store in which originals are kept, 0 to 15. Default 0. How many servers keep
    /// each, and how, is said there. Must not be changed once there are images.</summary>
    [Range(0, 15)]
    public int Table { get; set; }

    /// <summary>Most bytes of a picture, 1 KiB to 256 MiB. Default 32 MiB. A picture is in memory as a whole, at the
    /// server that takes it and at the one of its name.</summary>
    [Range(1 << 10, 256 << 20)]
    public int MostBytes { get; set; } = 32 << 20;

    /// <summary>Most pixels of a picture, 1 to 1,000,000,000. Default 50,000,000. A worker needs some bytes of each:
    /// with more, <see cref="WorkerBytes"/> has to grow, too.</summary>
    [Range(1, 1_000_000_000)]
    public int MostPixels { get; set; } = 50_000_000;

    /// <summary>Longest side of a picture in pixels, 1 to 16,384. Default 16,384.</summary>
    [Range(1, 16_384)]
    public int LongestSide { get; set; } = 16_384;

    /// <summary>Pictures that a server works on at once as the server of their names, 1 to 4,096. Default 64. More are
    /// refused, and may be sent again.</summary>
    [Range(1, 4_096)]
    public int Jobs { get; set; } = 64;

    /// <summary>Variants that others wait for at a server, 1 to 65,536. Default 4,096. More are asked for
    /// again.</summary>
    [Range(1, 65_536)]
    public int Fetches { get; set; } = 4_096;

    /// <summary>Bytes of pictures that are on their way to a server, 1 MiB to 16 GiB. Default 128 MiB. At least twice
    /// <see cref="MostBytes"/>.</summary>
    [Range(1 << 20, 16L << 30)]
    public long ArrivalMemory { get; set; } = 128 << 20;

    /// <summary>How long a request goes on before it is given up, 100 ms to 10 min. Default 30 s: more than a worker
    /// and the key-value store may take, one behind the other. A picture for which no worker is free is refused (503)
    /// when <see cref="WorkerTime"/> is left of it, so it must be longer than that. Shorter: more are refused when many
    /// come at once.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:10:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Silence after which a server is asked again, 10 ms to 1 min. Default 500 ms.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Silence { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long a deletion is remembered, 1 min to 1 day. Default 10 min. A request that was sent before it
    /// and comes after so long may bring the image back; longer: a small record of each deletion stays for
    /// longer.</summary>
    [Range(typeof(TimeSpan), "00:01:00", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan DeletionMemory { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>Worker processes of a host, all its servers together, 1 to 256; 0, the default: as many as
    /// processors.</summary>
    [Range(0, 256)]
    public int Workers { get; set; }

    /// <summary>How long a worker may take for a picture, 100 ms to 10 min, and less than <see cref="Timeout"/>.
    /// Default 10 s. Longer: a hostile picture keeps a worker for longer.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:10:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan WorkerTime { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>For how long a worker is at a picture only while nobody else wants the processor, 0 to 1 min. Default
    /// 500 ms; 0: never. Then it has a tenth of what a server's thread has, and no request can keep it from its end.
    /// Longer: on a server that is never idle puts take longer by that, and more of them are refused. Where the system
    /// does not allow it (docs/images.md) it is as 0.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan WorkerYield { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Memory of a worker in bytes, 64 MiB to 16 GiB. Default 256 MiB. A picture that needs more is refused
    /// (422).</summary>
    [Range(64 << 20, 16L << 30)]
    public long WorkerBytes { get; set; } = 256 << 20;

    /// <summary>Pictures that wait for a worker of this host, 1 to 4,096. Default 64. More are refused (503).</summary>
    [Range(1, 4_096)]
    public int WorkerQueue { get; set; } = 64;

    /// <summary>The variants as they are made.</summary>
    internal VariantSetting[] Made => _variants ??= Read();

    /// <summary>How long a picture may wait for a worker: one that begins later is not done while anybody waits for
    /// it.</summary>
    internal TimeSpan LongestWait => Timeout - WorkerTime;

    /// <summary>What a picture may be.</summary>
    internal PictureLimits Limits =>
        new()
        {
            Bytes = MostBytes,
            Pixels = MostPixels,
            Side = LongestSide,
        };

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        HashSet<string> seen = new(StringComparer.Ordinal);
        foreach (string text in Variants)
        {
            string? wrong =
                !VariantSetting.TryRead(text, out VariantSetting variant) ? $"is not as {VariantSetting.Words}"
                : !seen.Add(variant.Name) ? "has a name that is there already"
                : null;
            if (wrong is not null)
            {
                yield return new ValidationResult($"{nameof(Variants)}: '{text}' {wrong}.", [nameof(Variants)]);
            }
        }

        if (Variants.Count > MostVariants)
        {
            yield return new ValidationResult(
                $"{nameof(Variants)}: {Variants.Count} are named; there may be {MostVariants}.",
                [nameof(Variants)]
            );
        }

        if (ArrivalMemory < 2L * MostBytes)
        {
            yield return new ValidationResult(
                $"{nameof(ArrivalMemory)}: {ArrivalMemory:N0} is less than twice {nameof(MostBytes)} "
                    + $"({MostBytes:N0}).",
                [nameof(ArrivalMemory)]
            );
        }

        if (Timeout <= WorkerTime)
        {
            yield return new ValidationResult(
                $"{nameof(Timeout)}: {Timeout} is not longer than {nameof(WorkerTime)} ({WorkerTime}).",
                [nameof(Timeout)]
            );
        }
    }

    private VariantSetting[] Read()
    {
        List<VariantSetting> variants = [];
        foreach (string text in Variants.Count > 0 ? Variants : Standard)
        {
            if (VariantSetting.TryRead(text, out VariantSetting variant))
            {
                variants.Add(variant);
            }
        }

        return [.. variants];
    }
}
