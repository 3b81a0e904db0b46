using System.Globalization;
using System.Net;

namespace CamCube.Shim.Udp.Endpoints;

/// <summary>Where the other end of a cable is: a name or an address, and a UDP port. Pure data; any thread.</summary>
/// <param name="Host">A DNS name, an IPv4 or an IPv6 address (without brackets).</param>
/// <param name="Port">UDP port.</param>
internal readonly record struct HostPort(string Host, int Port)
{
    /// <summary>Reads "host:port", "10.0.0.2:7000" or "[fd00::2]:7000".</summary>
    public static bool TryParse(string text, out HostPort endpoint)
    {
        endpoint = default;
        string trimmed = text.Trim();
        int colon = trimmed.LastIndexOf(':');
        if (
            colon <= 0
            || !ushort.TryParse(
                trimmed.AsSpan(colon + 1),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out ushort port
            )
            || port == 0
        )
        {
            return false;
        }

        if (TryParseHost(trimmed[..colon]) is not { } host)
        {
            return false;
        }

        endpoint = new HostPort(host, port);
        return true;
    }

    /// <summary>A host as it may be written: a name, an IPv4 address, an IPv6 address in brackets. Null: it is
    /// none.</summary>
    public static string? TryParseHost(string text)
    {
        if (text.StartsWith('[') && text.EndsWith(']'))
        {
            string inner = text[1..^1];
            return IPAddress.TryParse(inner, out _) && inner.Contains(':') ? inner : null;
        }

        return Uri.CheckHostName(text) is UriHostNameType.Dns or UriHostNameType.IPv4 ? text : null;
    }

    /// <summary>"host:port", with brackets where an address has colons.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{(Host.Contains(':') ? $"[{Host}]" : Host)}:{Port}");
}
