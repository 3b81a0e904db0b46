namespace CamCube.Services.KeyValue.Wire;

/// <summary>A member's copy of one key.</summary>
/// <param name="Version">The version.</param>
/// <param name="Sum">A sum over key, value, metadata and time; of a value in pieces over their list.</param>
/// <param name="State">How it is.</param>
/// <param name="Length">Bytes of the value.</param>
internal readonly record struct CopyRow(ulong Version, uint Sum, CopyState State, uint Length)
{
    /// <summary>The key, where it was asked for and could be read.</summary>
    public byte[]? Key { get; init; }
}
