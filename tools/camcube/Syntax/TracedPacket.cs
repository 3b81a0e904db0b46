using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>A packet as people name it: "1000", the 1,000th of the run, or "0,0,0:7", the 7th of a server.</summary>
/// <param name="Server">The server that sends it, or null.</param>
/// <param name="Number">Its number, from 1.</param>
internal readonly record struct TracedPacket(ServerName? Server, long Number)
{
    /// <summary>Reads a number, with a server and a colon in front or not.</summary>
    public static bool TryParse(string text, out TracedPacket packet)
    {
        packet = default;
        int colon = text.LastIndexOf(':');
        ServerName? from = null;
        if (colon >= 0)
        {
            if (!ServerName.TryParse(text[..colon], out ServerName server))
            {
                return false;
            }

            from = server;
        }

        if (
            !long.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            || number < 1
        )
        {
            return false;
        }

        packet = new TracedPacket(from, number);
        return true;
    }
}
