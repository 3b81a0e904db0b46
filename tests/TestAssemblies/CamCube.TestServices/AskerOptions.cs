namespace CamCube.TestServices;

/// <summary>Settings of the asker.</summary>
public sealed class AskerOptions : IServiceNeeds
{
    /// <summary>Whether it cannot do without the echo.</summary>
    public bool Insists { get; set; }

    ServiceNeed? IServiceNeeds.Need =>
        Insists ? new ServiceNeed(typeof(IEcho), nameof(Insists), "Enable the echo.") : null;
}
