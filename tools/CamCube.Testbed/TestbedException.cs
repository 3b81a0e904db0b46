namespace CamCube.Testbed;

/// <summary>A testbed cannot be made or changed as it was asked for.</summary>
/// <param name="message">One line for people.</param>
/// <param name="isUsage">Whether what was asked for is wrong, and not the machine or the testbed.</param>
public sealed class TestbedException(string message, bool isUsage = false) : Exception(message)
{
    /// <summary>Whether what was asked for is wrong.</summary>
    public bool IsUsage { get; } = isUsage;
}
