namespace CamCube.Hosting.Lifetime;

/// <summary>What the manager of Windows services hears when a host ends.</summary>
internal static class ServiceExit
{
    /// <summary>It was meant to.</summary>
    public const int Success = 0;

    /// <summary>ERROR_PROCESS_ABORTED: it never got ready, and nobody told it to stop.</summary>
    public const int Aborted = 1067;

    /// <summary>The code of an end.</summary>
    /// <param name="hasStarted">Whether it has been ready.</param>
    /// <param name="endsByItself">Whether it was ending before the manager asked for that.</param>
    public static int CodeOf(bool hasStarted, bool endsByItself) => endsByItself && !hasStarted ? Aborted : Success;
}
