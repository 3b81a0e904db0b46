using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Verification;

/// <summary>What came of comparing a part of the copies.</summary>
/// <param name="Group">The group it was of.</param>
/// <param name="Next">Where it goes on; null: that was all.</param>
internal sealed record VerifiedPart(GroupId Group, VerifyCursor? Next)
{
    /// <summary>Copies that were compared.</summary>
    public int Compared { get; init; }

    /// <summary>Bytes that were read for it, at all members together.</summary>
    public long Bytes { get; init; }

    /// <summary>What differs, with the key where it could be read.</summary>
    public IReadOnlyList<(CopyDifference Difference, byte[]? Key)> Differences { get; init; } = [];

    /// <summary>Whose copies were not compared, and why.</summary>
    public IReadOnlyList<(Coordinate Server, string Why)> Skipped { get; init; } = [];
}
