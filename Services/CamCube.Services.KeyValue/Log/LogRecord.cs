namespace CamCube.Services.KeyValue.Log;

/// <summary>The head of a record: what the log keeps beside key, extra bytes and value. It understands none of
/// it.</summary>
internal readonly record struct LogRecord
{
    /// <summary>What it is, in its writer's words.</summary>
    public byte Kind { get; init; }

    /// <summary>More of the same.</summary>
    public byte Flags { get; init; }

    /// <summary>The group it belongs to.</summary>
    public uint Group { get; init; }

    /// <summary>Its index in the log of its group.</summary>
    public ulong Index { get; init; }

    /// <summary>The ballot of the leader that wrote it: generation.</summary>
    public uint Generation { get; init; }

    /// <summary>The ballot: epoch.</summary>
    public uint Epoch { get; init; }

    /// <summary>The ballot: term.</summary>
    public uint Term { get; init; }

    /// <summary>How long the key is there, in its writer's words; 0 = until it is deleted.</summary>
    public uint Expires { get; init; }

    /// <summary>The version of the key.</summary>
    public ulong Version { get; init; }
}
