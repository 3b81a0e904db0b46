using System.Globalization;

namespace CamCube.Shim.Udp.Endpoints;

/// <summary>
/// Where all servers of a cube are, in one line: <c>camcube-{rank}.camcube:7000</c>. {rank}, {x}, {y} and {z} are the
/// neighbour's; the number behind the colon is the base port of every server, to which the number of the neighbour's
/// link is added.
/// </summary>
internal sealed class EndpointPattern
{
    private readonly string _host;
    private readonly int _basePort;

    private EndpointPattern(string host, int basePort) => (_host, _basePort) = (host, basePort);

    /// <summary>Reads a pattern. Null, or what is wrong with it in words.</summary>
    /// <param name="text">The pattern.</param>
    /// <param name="basePort">The base port if the pattern has none, or has {port}.</param>
    /// <param name="pattern">The pattern, if the answer is null.</param>
    public static string? TryParse(string text, int basePort, out EndpointPattern? pattern)
    {
        pattern = null;
        string host = text.Trim();
        int colon = host.LastIndexOf(':');
        if (colon > host.LastIndexOf(']'))
        {
            string port = host[(colon + 1)..];
            host = host[..colon];
            if (
                port != "{port}"
                && (
                    !int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out basePort)
                    || basePort < 1
                    || basePort > ushort.MaxValue - Links.Cables
                )
            )
            {
                return $"'{port}' is not a base port; allowed is 1 to {ushort.MaxValue - Links.Cables}, or {{port}}";
            }
        }

        var candidate = new EndpointPattern(host, basePort);
        if (HostPort.TryParseHost(candidate.HostOf(new TorusShape(1, 1, 1), default)) is null)
        {
            return "it needs a host with {rank}, {x}, {y} or {z} in it, and a port: camcube-{rank}.camcube:7000";
        }

        pattern = candidate;
        return null;
    }

    /// <summary>Whether different servers have different hosts.</summary>
    public bool TellsServersApart(TorusShape shape) =>
        shape.Count == 1
        || For(shape, shape.At(0), Link.XPlus).Host != For(shape, shape.At(shape.Count - 1), Link.XPlus).Host;

    /// <summary>Where a server's end of one of its links is.</summary>
    public HostPort For(TorusShape shape, Coordinate server, Link link)
    {
        string host = HostOf(shape, server);
        return new HostPort(HostPort.TryParseHost(host) ?? host, _basePort + (int)link);
    }

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);

    private string HostOf(TorusShape shape, Coordinate server) =>
        _host
            .Replace("{rank}", Number(shape.RankOf(server)), StringComparison.OrdinalIgnoreCase)
            .Replace("{x}", Number(server.X), StringComparison.OrdinalIgnoreCase)
            .Replace("{y}", Number(server.Y), StringComparison.OrdinalIgnoreCase)
            .Replace("{z}", Number(server.Z), StringComparison.OrdinalIgnoreCase);
}
