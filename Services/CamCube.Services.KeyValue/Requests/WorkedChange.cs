using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>What a change comes to.</summary>
internal readonly record struct WorkedChange
{
    /// <summary>Why it is not made.</summary>
    public Outcome? Refused { get; init; }

    /// <summary>Of a refusal: the index of what says so; 0: that is visible.</summary>
    public ulong After { get; init; }

    /// <summary>What is done.</summary>
    public Operation? Made { get; init; }

    /// <summary>The old value.</summary>
    public FoundValue? Found { get; init; }

    /// <summary>Names of keys whose values have to be read before that can be said.</summary>
    public IReadOnlyList<UInt128>? Lacks { get; init; }
}
