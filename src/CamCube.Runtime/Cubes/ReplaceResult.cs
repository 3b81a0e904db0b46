namespace CamCube.Runtime.Cubes;

/// <summary>What came of other code for services of one server. Immutable; any thread.</summary>
/// <param name="Status">What came of it.</param>
/// <param name="Reason">Why it was refused, in a line; null: it was not.</param>
public sealed record ReplaceResult(ReplaceStatus Status, string? Reason)
{
    /// <summary>The new code runs.</summary>
    public static ReplaceResult Done { get; } = new(ReplaceStatus.Done, null);

    /// <summary>The server is stopped and will start with it.</summary>
    public static ReplaceResult Later { get; } = new(ReplaceStatus.Later, null);

    /// <summary>What was there before goes on.</summary>
    public static ReplaceResult Refused(string reason) => new(ReplaceStatus.Refused, reason);
}
