namespace CamCube.Tool.Hosts;

/// <summary>What <see cref="TunnelLoad"/> sends.</summary>
internal sealed record TunnelLoadOptions
{
    /// <summary>How long it is measured.</summary>
    public required TimeSpan Time { get; init; }

    /// <summary>How long it runs before that.</summary>
    public required TimeSpan Warmup { get; init; }

    /// <summary>Connections of each server to each one that it sends to.</summary>
    public required int Streams { get; init; }

    /// <summary>Over IPv6.</summary>
    public bool Is6 { get; init; }
}
