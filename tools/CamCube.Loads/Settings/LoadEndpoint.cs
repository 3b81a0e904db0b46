using System.Globalization;
using System.Net;

namespace CamCube.Loads.Settings;

/// <summary>Where a server is.</summary>
/// <param name="Host">Name or address.</param>
/// <param name="Port">Port.</param>
public readonly record struct LoadEndpoint(string Host, int Port)
{
    /// <summary>Reads host:port, [::1]:port, or only a host.</summary>
    /// <param name="text">The text.</param>
    /// <param name="port">Where none is said.</param>
    /// <param name="endpoint">The endpoint.</param>
    public static bool TryParse(string text, int port, out LoadEndpoint endpoint)
    {
        string host = text;
        int colon = text.LastIndexOf(':');
        bool isAddress = text.StartsWith('[');
        bool hasPort = colon > (isAddress ? text.LastIndexOf(']') : -1);
        if (hasPort && (isAddress || text.IndexOf(':') == colon))
        {
            host = text[..colon];
            if (!int.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port))
            {
                port = 0;
            }
        }

        host = isAddress && host.EndsWith(']') ? host[1..^1] : host;
        endpoint = new LoadEndpoint(host, port);
        return port is > 0 and <= IPEndPoint.MaxPort && Uri.CheckHostName(host) != UriHostNameType.Unknown;
    }

    /// <summary>Its address.</summary>
    /// <exception cref="IOException">There is no such host.</exception>
    public async Task<IPEndPoint> ResolveAsync(CancellationToken cancel)
    {
        if (IPAddress.TryParse(Host, out IPAddress? address))
        {
            return new IPEndPoint(address, Port);
        }

        try
        {
            IPAddress[] all = await Dns.GetHostAddressesAsync(Host, cancel).ConfigureAwait(false);
            return new IPEndPoint(all[0], Port);
        }
        catch (Exception e) when (e is System.Net.Sockets.SocketException or IndexOutOfRangeException)
        {
            throw new IOException($"there is no host {Host}.", e);
        }
    }

    /// <summary>Its address as that of a page.</summary>
    public Uri Root => new UriBuilder(Uri.UriSchemeHttp, Host, Port).Uri;

    /// <inheritdoc/>
    public override string ToString() => Host.Contains(':') ? $"[{Host}]:{Port}" : $"{Host}:{Port}";
}
