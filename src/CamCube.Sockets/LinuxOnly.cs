namespace CamCube.Sockets;

/// <summary>Says in one line that something works on Linux only.</summary>
internal static class LinuxOnly
{
    /// <summary>Throws on every other system.</summary>
    /// <param name="what">What needs Linux, as the beginning of the sentence.</param>
    /// <exception cref="LinkProviderException">This is not Linux.</exception>
    public static void Require(string what)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new LinkProviderException($"{what} works on Linux only.");
        }
    }
}
