namespace CamCube.Services.Messenger.Names;

/// <summary>A name that this server keeps as the root of its key.</summary>
internal sealed class DirectoryName
{
    /// <summary>Its key.</summary>
    public required Key Key { get; init; }

    /// <summary>Who has it, or had it last.</summary>
    public EndpointPlace Owner { get; set; }

    /// <summary>The owner's number of the opening.</summary>
    public ulong Opening { get; set; }

    /// <summary>Whether it has an owner. One without is kept for a while, for its term.</summary>
    public bool IsOwned { get; set; }

    /// <summary>When its owner last said that it is, or gave it up.</summary>
    public long HeardNanos { get; set; }
}
