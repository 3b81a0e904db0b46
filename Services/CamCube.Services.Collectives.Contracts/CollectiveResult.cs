namespace CamCube.Services.Collectives;

/// <summary>What came of an operation.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Member">Who it is about, where it is about a member; else rank 0's place.</param>
/// <param name="Words">In one line; null if it is done.</param>
public readonly record struct CollectiveResult(CollectiveStatus Status, Coordinate Member, string? Words)
{
    /// <summary>Whether it is done.</summary>
    public bool IsDone => Status == CollectiveStatus.Done;
}
