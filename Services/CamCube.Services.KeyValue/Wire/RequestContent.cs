using CamCube.Calls;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>A request as it arrives, lent for the callback.</summary>
internal ref struct RequestContent
{
    public RequestType Type;

    /// <summary>The table.</summary>
    public int Table;

    /// <summary>Of a change: what must be so of the key. Of a wait: the version that is known.</summary>
    public KeyValueCondition Condition;

    /// <summary>Who asks; of a change, under which number.</summary>
    public RequestId Id;

    /// <summary>The asker waits for no change up to this number any more.</summary>
    public ulong Closed;

    /// <summary>Of a wait: how long, in microseconds. Of an Add: by how much; of a SetRange: from where.</summary>
    public ulong Number;

    /// <summary>The value is the list of the pieces in which it lies.</summary>
    public bool IsInPieces;

    /// <summary>Of a change: the lifetime of the key then; 0: until it is deleted.</summary>
    public uint Expires;

    public ReadOnlySpan<byte> Key;
    public ReadOnlySpan<byte> Metadata;
    public ReadOnlySpan<byte> Value;

    /// <summary>Of a batch.</summary>
    public KeyValueStep[]? Steps;

    /// <summary>Whether it changes something.</summary>
    public readonly bool IsChange => Type.IsChange();
}
