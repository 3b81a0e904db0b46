namespace CamCube.Tool.Hosts;

/// <summary>What <see cref="ImagesLoad"/> asks of a store.</summary>
internal sealed record ImagesLoadOptions
{
    /// <summary>How long at most.</summary>
    public required TimeSpan Time { get; init; }

    /// <summary>Requests of all clients after which it ends; 0: as many as there are.</summary>
    public int Requests { get; init; }

    /// <summary>Clients, each with one request at a time.</summary>
    public required int Clients { get; init; }

    /// <summary>Different pictures.</summary>
    public required int Pictures { get; init; }

    /// <summary>Bytes of a picture, in the mean.</summary>
    public required int MeanBytes { get; init; }

    /// <summary>Images that there are at once; a client has its own, one at least.</summary>
    public required int Images { get; init; }

    /// <summary>Of 100 requests, how many store a picture; the others read one.</summary>
    public required int Puts { get; init; }

    /// <summary>The variant that is read; null: originals.</summary>
    public string? Variant { get; init; }

    /// <summary>Of pictures, and of what clients choose.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Whether the images stay.</summary>
    public bool Keeps { get; init; }
}
