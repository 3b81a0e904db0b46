using CamCube.Administration.Answers;

namespace CamCube.Tool.Output;

/// <summary>What else than CamCube's frames is on the cables of a host's own server, in lines for people.</summary>
internal static class ForeignText
{
    /// <summary>A line for each port of the server that carries something foreign.</summary>
    /// <param name="server">The host's own server.</param>
    public static IEnumerable<string> Of(CablingServerAnswer server)
    {
        foreach (CablingPortAnswer port in server.Ports)
        {
            if (port is { Foreign: { } foreign, Link: { } link })
            {
                string where = $"! {server.Coordinate ?? server.ServerId} port {port.Name} ({link}): ";
                yield return port.Heard == "nothing"
                    ? $"{where}carries {foreign.Text}: not a CamCube cable?"
                    : $"{where}carries {foreign.Text} as well: a switch in the cable?";
            }
        }
    }
}
