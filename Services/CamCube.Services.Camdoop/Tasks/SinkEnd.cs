namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Why output cannot be kept.</summary>
/// <param name="Words">In words for people.</param>
/// <param name="IsInnocent">Another attempt may well succeed, and this one is not counted.</param>
internal sealed record SinkEnd(string Words, bool IsInnocent)
{
    /// <summary>No other attempt will succeed: the job fails.</summary>
    public bool IsFatal { get; init; }

    /// <summary>Nobody wants more, and nothing is wrong.</summary>
    public static SinkEnd NoMore { get; } = new("", IsInnocent: true);
}
