namespace CamCube.Services.Distribution.Wire;

/// <summary>What a message says of its job. The numbers are in the wire format.</summary>
public enum DistributionKind : byte
{
    /// <summary>To a server of the job's trees: take part; a <see cref="JobNotice"/> follows. Answered by a
    /// <see cref="MemberReport"/>.</summary>
    Begin = 1,

    /// <summary>To a member: how far are you? Answered by a <see cref="MemberReport"/>.</summary>
    Poll = 2,

    /// <summary>To a member: it is over, forget it. Who has the file keeps it. Answered by nothing but that it was
    /// heard.</summary>
    End = 3,

    /// <summary>To whom the source has named, to who pulls or tells of a job, to the source: the manifest, please.
    /// Answered by it, as soon as it is known there; by nothing if it will not be.</summary>
    Fetch = 4,

    /// <summary>To the source: the SHA-256 of pieces, from a number, 4 bytes, on. Answered by at most
    /// <see cref="Jobs.PieceHashes.MostAnswered"/>; by nothing if they are not known yet.</summary>
    Hashes = 5,

    /// <summary>To one who gave a piece, 4 bytes: who gave it to you? Answered by an
    /// <see cref="OriginAnswer"/>.</summary>
    Origin = 6,

    /// <summary>From a member to another, while the source is lost: there is this job. Answered by a
    /// <see cref="MemberReport"/>; who does not know the job asks back (<see cref="Fetch"/>).</summary>
    Tell = 7,

    /// <summary>To the source: which manifest is it? Answered by its SHA-256; by nothing if the job is not one of that
    /// server.</summary>
    Digest = 8,
}
