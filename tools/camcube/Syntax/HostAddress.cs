namespace CamCube.Tool.Syntax;

/// <summary>Where a host's HTTP interface is.</summary>
/// <param name="Root">The address that its paths are appended to.</param>
internal sealed record HostAddress(Uri Root)
{
    /// <summary>The first HTTP port of a host with default settings.</summary>
    public static HostAddress Standard { get; } = new(new Uri("http://127.0.0.1:8080"));

    /// <summary>Reads "http://127.0.0.1:8080", or the same without http://.</summary>
    public static bool TryParse(string text, out HostAddress address)
    {
        string full = text.Contains("://", StringComparison.Ordinal) ? text : "http://" + text;
        bool ok =
            Uri.TryCreate(full, UriKind.Absolute, out Uri? uri)
            && uri.Scheme is "http" or "https"
            && uri.Host.Length > 0;
        address = ok ? new HostAddress(uri!) : Standard;
        return ok;
    }

    /// <summary>The address without a slash at the end.</summary>
    public override string ToString() => Root.ToString().TrimEnd('/');
}
