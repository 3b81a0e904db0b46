using System.Globalization;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>Servers in the arguments of a command.</summary>
internal static class ServerNames
{
    /// <summary>Reads servers with blanks between, each a rank or a coordinate.</summary>
    /// <returns>What is wrong, in words; null: nothing.</returns>
    public static string? Read(IServer server, string text, string argument, out HashSet<Coordinate> servers)
    {
        servers = [];
        foreach (string name in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int rank))
            {
                if (rank >= server.Shape.Count)
                {
                    return $"{argument}: this cube has no server {name}.";
                }

                servers.Add(server.Shape.At(rank));
            }
            else if (Coordinate.TryParse(name, out Coordinate at) && server.Shape.Contains(at))
            {
                servers.Add(at);
            }
            else
            {
                return $"{argument}: this cube has no server {name}.";
            }
        }

        return null;
    }
}
