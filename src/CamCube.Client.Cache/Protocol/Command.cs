using System.Buffers;
using CamCube.Client.Cache.Entries;

namespace CamCube.Client.Cache.Protocol;

/// <summary>A command, independent of the connection that carries it.</summary>
/// <param name="Kind">What to do.</param>
/// <param name="Key">The application's key.</param>
internal readonly record struct Command(CommandKind Kind, string Key)
{
    /// <summary>For Store and Touch.</summary>
    public TimeToLive TimeToLive { get; init; }

    /// <summary>For Store.</summary>
    public EntryExpiry Expiry { get; init; }

    /// <summary>For Store; read until the command is written or given up, not longer.</summary>
    public ReadOnlySequence<byte> Value { get; init; }

    /// <summary>For Read: gets the value, in one go and only if it is found. Null: <see cref="WantsArray"/>
    /// decides.</summary>
    public IBufferWriter<byte>? Destination { get; init; }

    /// <summary>For Read without a destination: whether the value is wanted as an array, or not at all.</summary>
    public bool WantsArray { get; init; }
}
