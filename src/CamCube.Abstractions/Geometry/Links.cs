namespace CamCube;

/// <summary>Arithmetic and names of links. Pure functions; any thread.</summary>
public static class Links
{
    /// <summary>Number of cable links of a server, whether or not a cable is plugged in.</summary>
    public const int Cables = 6;

    /// <summary>Number of links including <see cref="Link.Local"/>.</summary>
    public const int Count = 7;

    private static readonly string[] Names = ["+x", "-x", "+y", "-y", "+z", "-z", "local"];
    private static readonly string[] PlainNames = ["px", "mx", "py", "my", "pz", "mz", "local"];

    /// <summary>Axis 0, 1 or 2 (x, y, z) of a cable link.</summary>
    public static int Axis(this Link link) => (int)link >> 1;

    /// <summary>+1 or −1 for a cable link.</summary>
    public static int Sign(this Link link) => ((int)link & 1) == 0 ? 1 : -1;

    /// <summary>The name that the server at the other end of the cable has for the same cable. Local is its own
    /// opposite.</summary>
    public static Link Opposite(this Link link) => link == Link.Local ? link : (Link)((int)link ^ 1);

    /// <summary>The link of an axis (0, 1, 2) and a sign (negative or not).</summary>
    public static Link Of(int axis, int sign) => (Link)((axis << 1) | (sign < 0 ? 1 : 0));

    /// <summary>"+x", "-x", … or "local": for people.</summary>
    public static string Name(this Link link) => Names[(int)link];

    /// <summary>"px", "mx", …: needs no escaping in URLs, interface names and shells.</summary>
    public static string PlainName(this Link link) => PlainNames[(int)link];

    /// <summary>Reads a cable link from "+x" or "px" (any case). Never accepts "local".</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out Link link)
    {
        for (int i = 0; i < Cables; i++)
        {
            if (
                text.Equals(Names[i], StringComparison.OrdinalIgnoreCase)
                || text.Equals(PlainNames[i], StringComparison.OrdinalIgnoreCase)
            )
            {
                link = (Link)i;
                return true;
            }
        }

        link = Link.Local;
        return false;
    }
}
