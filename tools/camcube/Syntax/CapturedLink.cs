namespace CamCube.Tool.Syntax;

/// <summary>A link as people name it: "0,0,0:+x" or "13:mz".</summary>
/// <param name="Server">The server that sends on it.</param>
/// <param name="Link">The link.</param>
internal readonly record struct CapturedLink(ServerName Server, Link Link)
{
    /// <summary>Reads a server and a direction with a colon between them.</summary>
    public static bool TryParse(string text, out CapturedLink link)
    {
        link = default;
        int colon = text.LastIndexOf(':');
        if (
            colon < 0
            || !ServerName.TryParse(text[..colon], out ServerName server)
            || !Links.TryParse(text.AsSpan(colon + 1), out Link direction)
        )
        {
            return false;
        }

        link = new CapturedLink(server, direction);
        return true;
    }
}
