using System.ComponentModel.DataAnnotations;
using CamCube.Calls;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache;

/// <summary>Settings of the cache (<c>CamCube:Services:cache</c>). The same on all servers of a cube.</summary>
public sealed class CacheOptions : IValidatableObject, IServiceNeeds
{
    /// <summary>Most extra keys of an item.</summary>
    public const int MostReplicas = 15;

    /// <summary>Largest key in bytes: memcached's.</summary>
    public const int MaxKeyLength = 250;

    /// <summary>Least <see cref="MemoryLimit"/> in bytes.</summary>
    public const long LeastMemory = 1L << 20;

    /// <summary>
    /// Bytes of memory for items per server, as the system sees them: values, keys, headers, tables, and what is left
    /// over in pages. Default 64 MiB. It is taken as it is needed, and not given back before the server stops or a
    /// client lowers it. When it is full the items that were not used for longest go, of whatever size. The cube holds
    /// this times its servers. Beside it the cache needs <see cref="RecentAnswers"/> and <see cref="AssemblyMemory"/>.
    /// </summary>
    [Range(LeastMemory, 1L << 40)]
    public long MemoryLimit { get; set; } = 64L << 20;

    /// <summary>Largest value in bytes, 1 KiB to 64 MiB. Default 1 MiB. Larger: one value may push out many.</summary>
    [Range(1 << 10, 64 << 20)]
    public int MaxValueLength { get; set; } = 1 << 20;

    /// <summary>
    /// Whether items go for others when memory is full. Default true. False: a value for which there is no room is
    /// refused, so that what was stored stays until it expires or is deleted, and clients must expect to be refused.
    /// </summary>
    public bool Evicts { get; set; } = true;

    /// <summary>
    /// Whether items have tokens for compare-and-swap. Default true. False: the token of every item is 0, a cas with
    /// any other fails, and clients that rely on it never get through. It saves nothing here.
    /// </summary>
    public bool UseCas { get; set; } = true;

    /// <summary>
    /// Whether items are counted by size from the start, for memcached's <c>stats sizes</c>. Default false: from when a
    /// client asks for it. It costs a few nanoseconds per change.
    /// </summary>
    public bool TrackSizes { get; set; }

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

    /// <summary>
    /// Extra keys of an item at whose roots copies of it may be held, 0 to 15. Default 2. More: reads of hot items go
    /// fewer hops and load one server less; items that are read once make more servers work, and changes of hot items
    /// wait for more of them. 0: no copies.
    /// </summary>
    [Range(0, MostReplicas)]
    public int DefaultReplicas { get; set; } = 2;

    /// <summary>
    /// Another number of extra keys for items whose client keys begin so, as <c>prefix=k</c>; the longest prefix
    /// counts. Default none.
    /// </summary>
    public IReadOnlyList<string> Replicas { get; set; } = [];

    /// <summary>
    /// How long a copy may be served after it was asked for, 10 ms to 60 s. Default 200 ms, the detection time of
    /// failures. Longer: hot items come from their roots less often; a change waits as long when a server with a copy
    /// has died, and so do all changes of keys whose root was lost or is new.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan CopyLease { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// By how much one server's clock may be wrong over a lease, and how late in a step it may read its clock, 0 to 10
    /// s; below half of <see cref="CopyLease"/>. Default 2 ms: a hundredth of the lease. A holder stops that much
    /// early, a root waits that much longer. Too small: an old value may be read from a copy.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10", ParseLimitsInInvariantCulture = true)]
    public TimeSpan CopyDrift { get; set; } = TimeSpan.FromMilliseconds(2);

    /// <summary>Bytes of copies per server, beside <see cref="MemoryLimit"/>, 64 KiB to 1 TiB. Default 8 MiB. A value
    /// larger than a quarter of it is not copied.</summary>
    [Range(1L << 16, 1L << 40)]
    public long CopyMemory { get; set; } = 8L << 20;

    /// <summary>Answers to changes that a root keeps, to repeat them, 16 to 16,777,216. Default 32,768. Fewer: under
    /// heavy load the answer to a retry may be that nobody knows.</summary>
    [Range(16, 1 << 24)]
    public int RecentAnswers { get; set; } = 32_768;

    /// <summary>Bytes per server for values that have arrived in part. Default 32 MiB; at least twice
    /// <see cref="MaxValueLength"/>. </summary>
    [Range(1 << 16, 1 << 30)]
    public int AssemblyMemory { get; set; } = 32 << 20;

    /// <summary>
    /// What keys begin with that are read from the key-value store and written to it: the cache answers for such a key
    /// what the store has, and a change is acknowledged when the store has it. Each of 1 to 250 bytes (UTF-8); none may
    /// be the beginning of keys that other services keep there. Default none. Needs the service <c>kv</c> on all
    /// servers; without it such keys are refused. A change costs what one of the store costs.
    /// </summary>
    public IReadOnlyList<string> Backed { get; set; } = [];

    /// <summary>The table of the key-value store that has them, 0 to 15. Default 0. One with <c>reads=lease</c> answers
    /// reads at the key's root at once; with others each read there costs a question to a majority.</summary>
    [Range(0, 15)]
    public int BackedTable { get; set; }

    /// <summary>How often a change of such a key that depends on what is there is worked out again because others were
    /// faster, 1 to 100,000. Default 1,000. Fewer: under many clients that count with one key some are
    /// refused.</summary>
    [Range(1, 100_000)]
    public int BackedAttempts { get; set; } = 1_000;

    ServiceNeed? IServiceNeeds.Need =>
        Backed.Count == 0
            ? null
            : new ServiceNeed(
                typeof(IKeyValueStore),
                nameof(Backed),
                "Set CamCube:Services:kv:Enabled=true on all servers, or no Backed."
            );

    /// <summary>How long operations go on.</summary>
    internal CallLimits CallLimits => new(Timeout, Attempts);

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (MaxValueLength > MemoryLimit / 2)
        {
            yield return new ValidationResult(
                $"{nameof(MaxValueLength)} is {MaxValueLength}; allowed is at most half of {nameof(MemoryLimit)} "
                    + $"({MemoryLimit}).",
                [nameof(MaxValueLength)]
            );
        }

        if (CopyDrift >= CopyLease / 2)
        {
            yield return new ValidationResult(
                $"{nameof(CopyDrift)} is {CopyDrift}; allowed is less than half of {nameof(CopyLease)} ({CopyLease}).",
                [nameof(CopyDrift)]
            );
        }

        foreach (string text in Replicas.Where(text => !ReplicaRule.TryParse(text, out _)))
        {
            yield return new ValidationResult(
                $"{nameof(Replicas)} has '{text}'; allowed is prefix=k with a k from 0 to {MostReplicas}.",
                [nameof(Replicas)]
            );
        }

        foreach (string mistake in BackedRules.MistakesOf(this))
        {
            yield return new ValidationResult(mistake, [nameof(Backed)]);
        }

        if (AssemblyMemory / 2 < MaxValueLength)
        {
            yield return new ValidationResult(
                $"{nameof(AssemblyMemory)} is {AssemblyMemory}; needed is twice {nameof(MaxValueLength)} "
                    + $"({MaxValueLength}).",
                [nameof(AssemblyMemory)]
            );
        }
    }
}
