namespace CamCube.Hosting.Settings;

/// <summary>Settings of the reload of services while the host runs (<c>CamCube:Reload</c>).</summary>
internal sealed class ReloadOptions
{
    /// <summary>Folder below which a reload may be told to take assemblies from. Default: the folder <c>services</c>
    /// beside the host. The code runs with all rights of the host, so nobody else should be able to write
    /// there.</summary>
    public string? Root { get; set; }

    /// <summary>How long the new code may take: once to be tried beside the running servers, and again on each server.
    /// Default 5 s. Longer: a server whose loop hangs in new code is noticed later.</summary>
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(5);
}
