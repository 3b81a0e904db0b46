using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>How many files and sockets this process may have open (RLIMIT_NOFILE). Any thread.</summary>
/// <param name="Soft">As many; .NET's runtime raises it to the hard limit when it starts.</param>
/// <param name="Hard">Up to which the process may raise it itself; only root may go beyond.</param>
[SupportedOSPlatform("linux")]
public readonly record struct DescriptorLimit(ulong Soft, ulong Hard)
{
    /// <summary>The limit now; null if the system does not say.</summary>
    public static DescriptorLimit? Read() =>
        LinuxCalls.GetLimit(LinuxCalls.FilesLimit, out LinuxCalls.ResourceLimit limit) == 0
            ? new DescriptorLimit(limit.Soft, limit.Hard)
            : null;

    /// <summary>Makes this the limit. False: the system refuses it.</summary>
    public bool TrySet() => LinuxCalls.SetLimit(LinuxCalls.FilesLimit, new LinuxCalls.ResourceLimit(Soft, Hard)) == 0;
}
