using System.CommandLine;

namespace CamCube.Tool.Syntax;

/// <summary>An option that names all servers of a cube, or some.</summary>
internal static class ServerListOption
{
    private const string All = "all";

    /// <summary>The option.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="description">What the servers are for.</param>
    public static Option<string[]> Create(string name, string description) =>
        new(name)
        {
            Description = $"{description}: all, or ranks or coordinates, with spaces or ; between",
            HelpName = "all|SERVER...",
            AllowMultipleArgumentsPerToken = true,
            Arity = ArgumentArity.OneOrMore,
        };

    /// <summary>The servers, in the order named; none: all.</summary>
    /// <exception cref="ToolException">One that the cube does not have, or one twice, or all and others.</exception>
    public static Coordinate[] Read(string[] texts, string name, TorusShape shape)
    {
        string[] names = [.. texts.SelectMany(static text => text.Split(';', StringSplitOptions.RemoveEmptyEntries))];
        if (names is [All])
        {
            return [];
        }

        var servers = new Coordinate[names.Length];
        for (int i = 0; i < names.Length; i++)
        {
            servers[i] = ServerName.TryParse(names[i], out ServerName server)
                ? server.In(shape, name)
                : throw new ToolException(
                    ExitCode.Usage,
                    $"{name} '{names[i]}' must be all, or servers by rank or coordinate, as in 13 or 1,1,1."
                );
            if (Array.IndexOf(servers, servers[i], 0, i) >= 0)
            {
                throw new ToolException(ExitCode.Usage, $"{name} names server {servers[i]} twice.");
            }
        }

        return servers.Length > 0 ? servers : throw new ToolException(ExitCode.Usage, $"{name} names no server.");
    }
}
