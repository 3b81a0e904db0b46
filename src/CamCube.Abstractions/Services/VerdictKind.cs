namespace CamCube;

/// <summary>The kinds of <see cref="Verdict"/>.</summary>
public enum VerdictKind : byte
{
    /// <summary>On by base routing.</summary>
    Forward = 0,

    /// <summary>Out on the first free one of some links.</summary>
    Via = 1,

    /// <summary>A copy out on each of some links.</summary>
    ViaAll = 2,

    /// <summary>Done with.</summary>
    Consume = 3,

    /// <summary>Done with and counted.</summary>
    Drop = 4,

    /// <summary>The service keeps it from now on.</summary>
    Hold = 5,

    /// <summary>The service took it during the callback and has sent, merged, kept or released it.</summary>
    Taken = 6,
}
