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

    /// <summary>Asks a server what job it is. No bytes: no answer, or it does not know it.</summary>
    /// <returns>The manifest, and so many seconds ago the source was heard.</returns>
    ValueTask<(byte[] Manifest, ushort AgoSeconds)> FetchAsync(ulong job, Coordinate server);

    /// <summary>From now on pulls of it are answered.</summary>
    void Know(Job job);

    /// <summary>They are no more.</summary>
    void Forget(Job job);
}
