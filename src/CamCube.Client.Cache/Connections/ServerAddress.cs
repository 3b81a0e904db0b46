using System.Globalization;
using System.Net;

namespace CamCube.Client.Cache.Connections;

/// <summary>Reads "host:port", "address:port", "[IPv6]:port", and each without a port.</summary>
internal static class ServerAddress
{
    private const int DefaultPort = 11211;

    public static bool TryParse(string? text, out EndPoint endPoint)
    {
        endPoint = new IPEndPoint(IPAddress.None, 0);
        string host = text?.Trim() ?? "";
        int port = DefaultPort;

        // More than one colon and no bracket: an IPv6 address, whose last part is no port.
        int colon = host.LastIndexOf(':');
        if (colon > host.LastIndexOf(']') && (host.StartsWith('[') || host.IndexOf(':') == colon))
        {
            if (
                !int.TryParse(host.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port)
                || port is < 1 or > 65535
            )
            {
                return false;
            }

            host = host[..colon];
        }

        if (IPAddress.TryParse(host, out IPAddress? address))
        {
            endPoint = new IPEndPoint(address, port);
            return true;
        }

        if (Uri.CheckHostName(host) != UriHostNameType.Dns)
        {
            return false;
        }

        endPoint = new DnsEndPoint(host, port);
        return true;
    }
}
