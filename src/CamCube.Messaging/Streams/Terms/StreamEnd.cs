namespace CamCube.Messaging;

/// <summary>The end of a stream.</summary>
/// <param name="Reason">How it ended.</param>
/// <param name="Code">The word of who aborted it; else 0.</param>
public readonly record struct StreamEnd(StreamEndReason Reason, uint Code = 0)
{
    /// <summary>Whether it has ended.</summary>
    public bool HasEnded => Reason != StreamEndReason.None;

    /// <inheritdoc/>
    public override string ToString() =>
        Reason is StreamEndReason.Reset or StreamEndReason.Stopped ? $"{Reason}({Code})" : Reason.ToString();
}
