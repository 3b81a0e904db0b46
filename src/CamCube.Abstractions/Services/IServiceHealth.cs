namespace CamCube;

/// <summary>
/// A service that can run and yet not be as it should be: copies are missing, or it waits for others. While it says so
/// its host's <c>/health/ready</c> is <c>degraded</c>, with these words as a reason.
/// </summary>
public interface IServiceHealth
{
    /// <summary>What is not as it should be now, in a line; null: all is well. Any thread, also while the loop hangs:
    /// it waits for nobody. What it throws is said in its place.</summary>
    string? Unwell { get; }
}
