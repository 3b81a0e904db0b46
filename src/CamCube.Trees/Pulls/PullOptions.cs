using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>Limits and times of one <see cref="PullEndpoint{THeader, TRequest}"/>. A service sets them from its own
/// options.</summary>
public sealed class PullOptions
{
    /// <summary>A request never has more bytes: a key of 4,000, and what is said beside it.</summary>
    public const int MostRequestBytes = 4_096;

    /// <summary>The streams that pulls travel in.</summary>
    public StreamOptions Streams { get; set; } = new();

    /// <summary>How long a pull that broke off waits before it is opened again. Doubles each time that nothing came.
    /// Default 50 ms.</summary>
    public TimeSpan FirstRetry { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>How long it waits at most. Default 1 s.</summary>
    public TimeSpan MostRetry { get; set; } = TimeSpan.FromSeconds(1);
}
