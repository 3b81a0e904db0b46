namespace CamCube.Services.Images.Counting;

/// <summary>What one server's image store counts, also read from outside as <c>camcube.images.*</c>. Loop
/// only.</summary>
internal sealed class ImagesCounters(IServerCounters counters)
{
    /// <summary>Pictures that were to be stored, asked for at this server.</summary>
    public Counter Puts { get; } = counters.Create("puts", "{picture}");

    /// <summary>Pictures that this server stored as the server of their names.</summary>
    public Counter Stored { get; } = counters.Create("stored", "{picture}");

    /// <summary>Pictures that were sent again with the bytes that were there already.</summary>
    public Counter Unchanged { get; } = counters.Create("unchanged", "{picture}");

    /// <summary>Pictures that were refused for what they are.</summary>
    public Counter Refused { get; } = counters.Create("refused", "{picture}");

    /// <summary>Variants that were asked for at this server.</summary>
    public Counter Variants { get; } = counters.Create("variants", "{variant}");

    /// <summary>Variants that the cache had.</summary>
    public Counter Hits { get; } = counters.Create("hits", "{variant}");

    /// <summary>Pictures whose variants were made again, for the cache had lost one.</summary>
    public Counter Remade { get; } = counters.Create("remade", "{picture}");

    /// <summary>Requests for which there was no room.</summary>
    public Counter Busy { get; } = counters.Create("busy", "{request}");

    /// <summary>Attempts after the first.</summary>
    public Counter Retries { get; } = counters.Create("retries", "{attempt}");

    /// <summary>Messages that are none.</summary>
    public Counter Malformed { get; } = counters.Create("malformed", "{message}");
}
