namespace CamCube.TestServices;

/// <summary>A shim that opens no links but says what it was asked for.</summary>
public sealed class NowhereLinks : ILinkProvider
{
    /// <inheritdoc/>
    public string Name => "Nowhere";

    /// <inheritdoc/>
    public LinkDriver Open(LinkProviderRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        var settings = request.Settings.OrderBy(s => s.Key, StringComparer.Ordinal).Select(s => $"{s.Key}={s.Value}");
        throw new LinkProviderException(
            $"server {request.Coordinate} of {request.Shape} has no links here ({string.Join(", ", settings)})"
        );
    }
}
