namespace CamCube.Services.KeyValue.Requests;

/// <summary>A value as it was found.</summary>
/// <param name="Version">Its version.</param>
/// <param name="Metadata">What is kept beside it.</param>
/// <param name="Value">The value.</param>
internal sealed record FoundValue(ulong Version, ReadOnlyMemory<byte> Metadata, ReadOnlyMemory<byte> Value)
{
    /// <summary>The <see cref="Operations.Lifetime"/> that it has yet; 0: until it is deleted.</summary>
    public uint Expires { get; init; }

    /// <summary>The version whose time it has; 0: a time of its own.</summary>
    public ulong TimeOf { get; init; }

    /// <summary>Its time is over, and nobody has deleted it yet.</summary>
    public bool IsOver { get; init; }

    /// <summary>It lies in pieces, and what was found is only their list.</summary>
    public bool IsInPieces { get; init; }
}
