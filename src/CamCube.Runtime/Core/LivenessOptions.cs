namespace CamCube.Runtime.Core;

/// <summary>Neighbour liveness and flooding (<c>CamCube:Liveness</c>).</summary>
public sealed class LivenessOptions
{
    /// <summary>
    /// Silence after which a neighbour is suspected, 10 ms to 60 s. Default 200 ms. Shorter: failures are noticed
    /// sooner, and a busy machine is taken for a dead one more easily. Heartbeats on an idle link come four times as
    /// often.
    /// </summary>
    public TimeSpan DetectionTime { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Longest time that services that name none of their own may delay the hand-over of keys to a returning
    /// server. Default 5 s.</summary>
    public TimeSpan ReturnTimeout { get; set; } = TimeSpan.FromSeconds(5);
}
