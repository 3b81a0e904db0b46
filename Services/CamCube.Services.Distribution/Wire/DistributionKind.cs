namespace CamCube.Services.Distribution.Wire;

/// <summary>What a message says of its job. The numbers are in the wire format.</summary>
public enum DistributionKind : byte
{
    /// <summary>To a member: take part; the manifest follows. Answered by a <see cref="MemberReport"/>.</summary>
    Begin = 1,

    /// <summary>To a member: how far are you? Answered by a <see cref="MemberReport"/>.</summary>
    Poll = 2,

    /// <summary>To a member: it is over, forget it. Who has the file keeps it. Answered by nothing but that it was
    /// heard.</summary>
    End = 3,

    /// <summary>To who pulls: what job is this? Answered by the manifest; by nothing if it is not known.</summary>
    Fetch = 4,
}
