using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>How a source speaks to its members, and its server answers pulls of a job. Loop only.</summary>
internal interface IMemberLine
{
    /// <summary>Says something of a job to a member. Null: no answer, or none that can be.</summary>
    ValueTask<MemberReport?> AskAsync(
        ulong job,
        DistributionKind kind,
        ReadOnlyMemory<byte> content,
        Coordinate member
    );

    /// <summary>Asks a server something of a job. Null: no answer.</summary>
    ValueTask<byte[]?> AskBytesAsync(ulong job, DistributionKind kind, ReadOnlyMemory<byte> content, Coordinate server);

    /// <summary>Asks a server for a manifest, once. No bytes: it does not know the job; null: no answer.</summary>
    /// <returns>The manifest, and so many seconds ago the source was heard.</returns>
    ValueTask<(byte[]? Manifest, ushort AgoSeconds)> FetchAsync(ulong job, Coordinate server);

    /// <summary>Answers who asked for a manifest.</summary>
    /// <param name="number">The job's number.</param>
    /// <param name="job">The job; null: it is not known.</param>
    /// <param name="server">Who asked.</param>
    /// <param name="question">The number of its question.</param>
    void Give(ulong number, Job? job, Coordinate server, ulong question);

    /// <summary>From now on pulls of it are answered.</summary>
    void Know(Job job);

    /// <summary>They are no more.</summary>
    void Forget(Job job);
}
