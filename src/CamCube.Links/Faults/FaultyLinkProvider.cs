namespace CamCube.Faults;

/// <summary>Makes the links of a real server obey fault rules: wraps the provider that opens them.</summary>
/// <param name="inner">The provider of the cables.</param>
/// <param name="rules">The rules; their cube must be the server's.</param>
public sealed class FaultyLinkProvider(ILinkProvider inner, LinkFaultRules rules) : ILinkProvider
{
    /// <inheritdoc/>
    public string Name => inner.Name;

    /// <inheritdoc/>
    /// <exception cref="LinkProviderException">The cables cannot be opened, or the rules are for another
    /// cube.</exception>
    public LinkDriver Open(LinkProviderRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Shape != rules.Shape)
        {
            throw new LinkProviderException($"Fault rules for a {rules.Shape} cube do not fit a {request.Shape} cube.");
        }

        if (request.Coordinate is not { } self)
        {
            throw new LinkProviderException(
                "Fault rules need a server whose coordinate is known before its links are opened."
            );
        }

        return rules.Wrap(request.Shape.RankOf(self), inner.Open(request));
    }
}
