using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>Who waits for an answer.</summary>
/// <param name="Header">The header of its request.</param>
/// <param name="Asker">Its server.</param>
internal readonly record struct Waiter(KeyValueHeader Header, Coordinate Asker)
{
    /// <summary>The old value that it is told; null: none.</summary>
    public ReadOnlyMemory<byte>? Old { get; init; }
}
