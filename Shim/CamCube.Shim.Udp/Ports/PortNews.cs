namespace CamCube.Shim.Udp.Ports;

/// <summary>Tells people about a port: each fault once, until it is mended. Loop only.</summary>
/// <param name="link">The port's link.</param>
/// <param name="tell">Takes the lines.</param>
internal sealed class PortNews(Link link, Action<LinkNews> tell)
{
    private PortFault _told;

    /// <summary>Says what is wrong, unless it was said already.</summary>
    public void Fault(PortFault fault, string text)
    {
        if ((_told & fault) == 0)
        {
            _told |= fault;
            tell(new LinkNews(true, $"port {link.Name()}: {text}"));
        }
    }

    /// <summary>Says that it is mended, if something was said.</summary>
    public void Mended(PortFault faults, string text)
    {
        if ((_told & faults) != 0)
        {
            _told &= ~faults;
            tell(new LinkNews(false, $"port {link.Name()}: {text}"));
        }
    }

    /// <summary>Whether one of these was told and is not mended.</summary>
    public bool HasTold(PortFault faults) => (_told & faults) != 0;
}
