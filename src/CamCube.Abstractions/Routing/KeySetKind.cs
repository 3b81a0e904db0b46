namespace CamCube;

/// <summary>How many of the keys of a <see cref="KeySet"/> a packet goes to.</summary>
public enum KeySetKind : byte
{
    /// <summary>To one of them: whichever is reached over the first free link.</summary>
    AnyOf = 0,

    /// <summary>A copy to each.</summary>
    AllOf = 1,

    /// <summary>It has arrived: it ends here, whatever keys the set has.</summary>
    Here = 2,
}
