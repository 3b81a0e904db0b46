namespace CamCube.Services.KeyValue.Requests;

/// <summary>What was said to an attempt.</summary>
internal readonly record struct AttemptReply
{
    /// <summary>The attempt.</summary>
    public byte Attempt { get; init; }

    /// <summary>It is an answer, and no refusal.</summary>
    public bool IsAnswer { get; init; }

    /// <summary>The answer says that nothing was changed.</summary>
    public bool IsNothing => IsAnswer && Answer.Status is not (KeyValueStatus.Done or KeyValueStatus.Unknown);

    /// <summary>The answer.</summary>
    public KeyValueAnswer Answer { get; init; }

    /// <summary>Nobody said anything: who was asked is gone.</summary>
    public bool IsGone { get; init; }

    /// <summary>Of a refusal: how long to wait.</summary>
    public TimeSpan Wait { get; init; }

    /// <summary>Of a refusal: the run of this server behind which the request is; 0: it is not.</summary>
    public ulong Run { get; init; }

    /// <summary>Of a refusal: it had begun.</summary>
    public bool IsUncertain { get; init; }

    /// <summary>Of a refusal: too few of the servers that have the key have been there for a while.</summary>
    public bool IsAlone { get; init; }

    /// <summary>Who said it.</summary>
    public Coordinate Source { get; init; }

    /// <summary>The value is the list of the pieces in which it lies.</summary>
    public bool IsInPieces { get; init; }

    /// <summary>Metadata, then the value; perhaps more bytes behind that.</summary>
    public byte[]? Content { get; init; }

    /// <summary>Bytes of both.</summary>
    public int Length { get; init; }

    /// <summary>Bytes of metadata.</summary>
    public int MetadataLength { get; init; }

    /// <summary>The metadata.</summary>
    public ReadOnlyMemory<byte> Metadata => Content.AsMemory(0, MetadataLength);

    /// <summary>The value.</summary>
    public ReadOnlyMemory<byte> Value => Content.AsMemory(MetadataLength, Length - MetadataLength);
}
