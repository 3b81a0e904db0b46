using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Salvage;

/// <summary>What came of a recovery by hand.</summary>
internal sealed record RecoverOutcome
{
    /// <summary>Why nothing was done, in words; null: nothing was in the way.</summary>
    public string? Refusal { get; init; }

    /// <summary>The stores that are given up.</summary>
    public IReadOnlyList<StoreId> Lost { get; init; } = [];

    /// <summary>Groups that cannot go on by themselves, as they were found first.</summary>
    public IReadOnlyList<GroupPlan> Plans { get; init; } = [];

    /// <summary>Groups that had a lost store and go on by themselves.</summary>
    public int Healthy { get; init; }

    /// <summary>Groups of which it is not decided yet.</summary>
    public int Left { get; init; }

    /// <summary>Servers that have not written down yet who is given up.</summary>
    public IReadOnlyList<Coordinate> Unwritten { get; init; } = [];
}
