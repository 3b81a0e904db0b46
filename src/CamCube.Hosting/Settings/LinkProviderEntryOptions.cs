namespace CamCube.Hosting.Settings;

/// <summary>An entry of <c>CamCube:LinkProviders</c>.</summary>
internal sealed class LinkProviderEntryOptions
{
    /// <summary>Its assembly, relative to the folder <c>shims</c> beside the host. No default. The code runs with all
    /// rights of the host.</summary>
    public string? Assembly { get; set; }
}
