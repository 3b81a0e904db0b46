using System.Runtime.InteropServices;

namespace CamCube.Messaging;

/// <summary>The end of a stream.</summary>
/// <param name="Reason">How it ended.</param>
/// <param name="Code">The word of who aborted it; else 0.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct StreamEnd(StreamEndReason Reason, uint Code = 0)
{
    /// <summary>Of <see cref="StreamEndReason.RootMoved"/>: the root that the acceptor knew of then.</summary>
    public Coordinate Root { get; init; }

    /// <summary>Whether it has ended.</summary>
    public bool HasEnded => Reason != StreamEndReason.None;

    /// <inheritdoc/>
    public override string ToString() =>
        Reason switch
        {
            StreamEndReason.Reset or StreamEndReason.Stopped => $"{Reason}({Code})",
            StreamEndReason.RootMoved => $"{Reason}({Root})",
            _ => Reason.ToString(),
        };
}
