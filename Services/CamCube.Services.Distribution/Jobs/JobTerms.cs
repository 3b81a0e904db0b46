using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>What all jobs of one server have in common.</summary>
/// <param name="Server">The server.</param>
/// <param name="Options">Settings.</param>
/// <param name="Pulls">What stripes are pulled by.</param>
/// <param name="Windows">Buffers for windows of members.</param>
/// <param name="Transit">Buffers for what is on its way to a child.</param>
/// <param name="Counters">What is counted.</param>
internal sealed record JobTerms(
    IServer Server,
    DistributionOptions Options,
    PullEndpoint<DistributionHeader, PieceRequest> Pulls,
    PieceBuffers Windows,
    PieceBuffers Transit,
    DistributionCounters Counters
)
{
    // Drawn, or it might be the same piece again and again.
    private const int ForgedOneIn = 5;
    private Random? _forger;

    /// <summary>Which file of which job is next on the disk.</summary>
    public DiskTurns Turns { get; } = new();

    /// <summary>A mistake that it makes, for tests; set before it starts.</summary>
    public DistributionMistake Mistake { get; set; }

    /// <summary>Whether a block is what it was at the source.</summary>
    public bool IsRight(uint sum, ReadOnlySpan<byte> bytes) =>
        PieceSum.Of(bytes) == sum || Mistake.HasFlag(DistributionMistake.ServesUnchecked);

    /// <summary>What the first bytes of the next piece are changed by; empty: it is not forged.</summary>
    public ReadOnlySpan<byte> Forgery()
    {
        bool forges = (Mistake & (DistributionMistake.Forges | DistributionMistake.ForgesSums)) != 0;
        return !forges || (_forger ??= Server.Random.Create("forged pieces")).Next(ForgedOneIn) > 0 ? []
            : Mistake.HasFlag(DistributionMistake.ForgesSums) ? [0xF1, 0x76, 0xEC, 0x05, 0x01]
            : [byte.MaxValue];
    }

    /// <summary>A manifest as it is given to others.</summary>
    public byte[] Given(Job job)
    {
        // A source that gives another one than it says sends nothing to anybody.
        bool isOwn = job.Manifest.Source == Server.Coordinate;
        if (isOwn || !Mistake.HasFlag(DistributionMistake.ForgesManifests))
        {
            return job.Bytes;
        }

        // Of another content, and right in itself.
        byte[] forged = [.. job.Bytes];
        forged[^(sizeof(uint) + 1)] ^= 1;
        ManifestFormat.Seal(forged);
        return forged;
    }
}
