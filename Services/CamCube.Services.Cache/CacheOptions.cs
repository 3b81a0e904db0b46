using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Cache;

/// <summary>Settings of the cache (<c>CamCube:Services:cache</c>). The same on all servers of a cube.</summary>
public sealed class CacheOptions : IValidatableObject
{
    /// <summary>Largest key in bytes: memcached's.</summary>
    public const int MaxKeyLength = 250;

    /// <summary>
    /// Bytes of memory for items per server, as the system sees them: values, keys, headers, tables, and what is left over in pages.
    /// Default 64 MiB. It is taken as it is needed, and not given back before the server stops. When it is full the items that were not
    /// used for longest go, of whatever size. The cube holds this times its servers. Beside it the cache needs <see cref="RecentAnswers"/>
    /// and <see cref="AssemblyMemory"/>.
    /// </summary>
    [Range(1L << 20, 1L << 40)]
    public long MemoryLimit { get; set; } = 64L << 20;

    /// <summary>Largest value in bytes, 1 KiB to 64 MiB. Default 1 MiB. Larger: one value may push out many.</summary>
    [Range(1 << 10, 64 << 20)]
    public int MaxValueLength { get; set; } = 1 << 20;

    /// <summary>
    /// Whether items go for others when memory is full. Default true. False: a value for which there is no room is refused, so that what was
    /// stored stays until it expires or is deleted, and clients must expect to be refused.
    /// </summary>
    public bool Evicts { get; set; } = true;

    /// <summary>
    /// Whether items have tokens for compare-and-swap. Default true. False: the token of every item is 0, a cas with any other fails, and
    /// clients that rely on it never get through. It saves nothing here.
    /// </summary>
    public bool UseCas { get; set; } = true;

    /// <summary>
    /// How long one attempt to reach a root may take, 5 ms to 60 s; large values get a second per 4 MiB in addition.
    /// Default 150 ms. Shorter: a busy root is asked twice. Longer: clients wait longer when a server has died.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.005", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Timeout { get; set; } = TimeSpan.FromMilliseconds(150);

    /// <summary>
    /// Attempts before a client hears of a failure, 1 to 1,000. Default 16. Attempts times time-out should be well
    /// above the detection time of failures (<c>CamCube:Liveness:DetectionTime</c>) plus <see cref="TakeoverDelay"/>,
    /// or clients see errors when a server dies.
    /// </summary>
    [Range(1, 1000)]
    public int Attempts { get; set; } = 16;

    /// <summary>
    /// How long a server waits before it answers for keys of a server that was lost, 0 to 60 s. Default 100 ms: half
    /// the detection time of failures. A server that is cut off may notice up to three eighths of that time later than
    /// the others (<c>CamCube:Liveness</c>); with a shorter wait it and its stand-in both answer for its keys in
    /// between, so that an old value may be read there.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan TakeoverDelay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Answers to changes that a root keeps, to repeat them, 16 to 16,777,216. Default 32,768. Fewer: under
    /// heavy load the answer to a retry may be that nobody knows.</summary>
    [Range(16, 1 << 24)]
    public int RecentAnswers { get; set; } = 32_768;

    /// <summary>Bytes per server for values that have arrived in part. Default 32 MiB; at least twice
    /// <see cref="MaxValueLength"/>. </summary>
    [Range(1 << 16, 1 << 30)]
    public int AssemblyMemory { get; set; } = 32 << 20;

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (MaxValueLength > MemoryLimit / 2)
        {
            yield return new ValidationResult(
                $"{nameof(MaxValueLength)} is {MaxValueLength}; allowed is at most half of {nameof(MemoryLimit)} ({MemoryLimit}).",
                [nameof(MaxValueLength)]);
        }

        if (AssemblyMemory / 2 < MaxValueLength)
        {
            yield return new ValidationResult(
                $"{nameof(AssemblyMemory)} is {AssemblyMemory}; needed is twice {nameof(MaxValueLength)} ({MaxValueLength}).",
                [nameof(AssemblyMemory)]);
        }
    }
}
