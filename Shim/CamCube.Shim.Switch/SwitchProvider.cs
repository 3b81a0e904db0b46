using CamCube.Shim.Switch.Connections;
using CamCube.Shim.Switch.Settings;

namespace CamCube.Shim.Switch;

/// <summary>
/// Every server one hop from every other (<c>CamCube:Shim=Switch</c>), over TCP connections through one interface: what
/// the papers compare a cube with, on cables (docs/switch.md). The services are the same. Linux.
/// </summary>
public sealed class SwitchProvider : ILinkProvider
{
    /// <inheritdoc/>
    public string Name => "Switch";

    /// <inheritdoc/>
    public IReadOnlyList<LinkSetting> Settings => SwitchOptions.All;

    /// <inheritdoc/>
    public LinkDriver Open(LinkProviderRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (!OperatingSystem.IsLinux())
        {
            throw new LinkProviderException("CamCube:Shim=Switch needs Linux.");
        }

        return new SwitchLinks(request, SwitchOptions.Read(request.Settings, request.Shape));
    }
}
