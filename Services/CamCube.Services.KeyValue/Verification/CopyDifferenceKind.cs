namespace CamCube.Services.KeyValue.Verification;

/// <summary>What is wrong with a copy.</summary>
internal enum CopyDifferenceKind
{
    /// <summary>Another member has it, and this one should.</summary>
    Missing,

    /// <summary>It has other bytes than another member's.</summary>
    OtherBytes,

    /// <summary>It is there, and cannot be read.</summary>
    Unreadable,
}
