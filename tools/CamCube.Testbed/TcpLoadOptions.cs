namespace CamCube.Testbed;

/// <summary>What <see cref="TcpLoad"/> sends.</summary>
public sealed record TcpLoadOptions
{
    /// <summary>How long it is measured.</summary>
    public required TimeSpan Time { get; init; }

    /// <summary>How long it runs before that.</summary>
    public required TimeSpan Warmup { get; init; }

    /// <summary>Connections of each server to each one that it sends to.</summary>
    public required int Streams { get; init; }
}
