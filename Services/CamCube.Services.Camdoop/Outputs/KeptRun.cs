using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Outputs;

/// <summary>A sorted run where it is kept: in memory, or on the server's disk. Loop only.</summary>
internal abstract class KeptRun
{
    /// <summary>The records of a group, from the first that may lie behind a position; null: it has none.</summary>
    /// <param name="group">The group.</param>
    /// <param name="position">From where on: records of its key, too.</param>
    /// <param name="more">As <see cref="IRecordRun"/> says.</param>
    public abstract IRecordRun? Open(int group, MergePosition position, Action more);

    /// <summary>Bytes of all its records.</summary>
    public abstract long Length { get; }

    /// <summary>Adds the bytes that each group has.</summary>
    public abstract void AddSizes(Span<long> sizes);

    /// <summary>Nobody needs it any more.</summary>
    public abstract void Release();

    /// <summary>Whether a record lies before a position.</summary>
    protected static bool IsBefore(ReadOnlySpan<byte> key, MergePosition position) =>
        !position.IsBeginning && key.SequenceCompareTo(position.Key.Span) < 0;
}
