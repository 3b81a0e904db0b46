using System.Globalization;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>The command init: the first start without servers that do not exist.</summary>
internal static class InitCommand
{
    /// <summary>Makes it.</summary>
    /// <param name="server">The server.</param>
    /// <param name="begin">Begins the first start without some servers; says why not.</param>
    public static ServiceCommand Of(IServer server, Func<IReadOnlyCollection<Coordinate>, string?> begin) =>
        ServiceCommand.Of<InitArguments, CommandResult>(
            "init",
            "The first start of the store is without some servers, which do not exist.",
            (arguments, _) => new ValueTask<CommandResult>(Begin(server, begin, arguments.Without)),
            changes: true
        );

    private static CommandResult Begin(
        IServer server,
        Func<IReadOnlyCollection<Coordinate>, string?> begin,
        string without
    )
    {
        HashSet<Coordinate> missing = [];
        foreach (string name in without.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            bool isRank = int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int rank);
            if (isRank ? rank >= server.Shape.Count : !IsServer(server, name))
            {
                return CommandResult.Refused($"without: this cube has no server {name}.");
            }

            missing.Add(isRank ? server.Shape.At(rank) : Parse(name));
        }

        return begin(missing) is { } wrong ? CommandResult.Refused($"{wrong}.") : CommandResult.Done;
    }

    private static bool IsServer(IServer server, string name) =>
        Coordinate.TryParse(name, out Coordinate at) && server.Shape.Contains(at);

    private static Coordinate Parse(string name)
    {
        Coordinate.TryParse(name, out Coordinate at);
        return at;
    }
}
