namespace CamCube.Messaging;

/// <summary>What its opener says of a stream.</summary>
public readonly record struct StreamParameters
{
    /// <summary>The acceptor's to read: what the stream is for.</summary>
    public ulong Label { get; init; }

    /// <summary>The paths of its connection: streams with different ones are of different connections.</summary>
    public StreamPaths Paths { get; init; }
}
