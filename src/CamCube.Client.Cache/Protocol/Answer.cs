using CamCube.Client.Cache.Entries;

namespace CamCube.Client.Cache.Protocol;

/// <summary>What came back.</summary>
/// <param name="Kind">How the command ended.</param>
internal readonly record struct Answer(AnswerKind Kind)
{
    /// <summary>The item's client flags, for Read and Look.</summary>
    public uint Flags { get; init; }

    /// <summary>Seconds the server keeps the item; -1: for ever.</summary>
    public long SecondsLeft { get; init; }

    /// <summary>The item's version: another value has another.</summary>
    public ulong Cas { get; init; }

    /// <summary>From the header, for Read.</summary>
    public EntryExpiry Expiry { get; init; }

    /// <summary>The value, if it was wanted as an array.</summary>
    public byte[]? Value { get; init; }

    /// <summary>What went wrong, for a person.</summary>
    public string? Error { get; init; }
}
