using System.Globalization;
using CamCube.Faults;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.ValueTexts;

namespace CamCube.Hosting.Faults;

/// <summary>Reads what an operator wants to go wrong: a kind, its arguments, and where.</summary>
/// <param name="cube">The cube whose links are meant.</param>
/// <param name="services">Services, whose names may be used for their ids.</param>
internal sealed class FaultReader(ICube cube, LoadedServices services)
{
    private static readonly string[] Everywhere = ["at", "way", "service"];

    /// <summary>Reads an order.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="arguments">Its arguments, and <c>at</c> (a server, or a server, a colon and a direction),
    /// <c>way</c> (out, in or both) and <c>service</c> (a name or an id).</param>
    /// <exception cref="FormatException">Something is missing or wrong; the message says what is right.</exception>
    public FaultOrder Read(string kind, IReadOnlyDictionary<string, string> arguments)
    {
        LinkFault fault = FaultOf(kind, arguments);
        LinkScope scope = Where(arguments);
        return new FaultOrder(
            kind,
            fault,
            arguments.TryGetValue("service", out string? service) ? scope.OfService(ServiceOf(service)) : scope,
            arguments
        );
    }

    /// <summary>Reads what is to happen, not where.</summary>
    /// <exception cref="FormatException">As of <see cref="Read"/>.</exception>
    public static LinkFault FaultOf(string kind, IReadOnlyDictionary<string, string> arguments)
    {
        IReadOnlyList<string> own =
            FaultKinds.ArgumentsOf(kind)
            ?? throw new FormatException(
                $"'{kind}' is no kind of fault; {Meant(kind, FaultKinds.All, "there")} are {FaultKinds.Names}."
            );
        foreach (string name in arguments.Keys.Where(name => !own.Contains(name) && !Everywhere.Contains(name)))
        {
            string[] known = [.. own, .. Everywhere];
            throw new FormatException(
                $"{kind} has no '{name}'; {Meant(name, known, "it")} has {string.Join(", ", known)}."
            );
        }

        return FaultKinds.Make(kind, arguments);
    }

    /// <summary>The question, if there is one to ask, and the word with which the sentence goes on.</summary>
    private static string Meant(string name, IReadOnlyCollection<string> known, string next) =>
        NearestName.Find(name, known) is { } nearest
            ? $"did you mean {nearest}? {char.ToUpperInvariant(next[0])}{next[1..]}"
            : next;

    private LinkScope Where(IReadOnlyDictionary<string, string> arguments)
    {
        bool runsAll = cube.LocalRanks.Count == cube.Shape.Count;
        string way = arguments.GetValueOrDefault("way") ?? (runsAll ? "both" : "out");
        if (way is not ("out" or "in" or "both"))
        {
            throw new FormatException(
                $"way={way} must be out (what the server sends), in (what is sent to it) or both."
            );
        }

        if (!runsAll && way != "out")
        {
            throw new FormatException(
                $"way={way}: this process runs one server, whose rules concern what it sends (way=out); "
                    + $"the other way is a rule at its neighbour."
            );
        }

        if (!arguments.TryGetValue("at", out string? text))
        {
            return way == "both" || !runsAll
                ? LinkScope.All
                : throw new FormatException($"way={way} needs at=...: a server, or one of its links.");
        }

        // In a query a + is a space.
        int colon = text.IndexOf(':', StringComparison.Ordinal);
        Coordinate server = ServerOf(colon < 0 ? text : text[..colon]);
        if (colon < 0)
        {
            return way switch
            {
                "out" => LinkScope.From(server),
                "in" => LinkScope.To(server),
                _ => LinkScope.Server(server),
            };
        }

        string direction = text[(colon + 1)..].Replace(' ', '+');
        if (!Links.TryParse(direction, out Link link) || !cube.Shape.CabledLinks(server).Contains(link))
        {
            throw new FormatException(
                $"server {server} has no cable '{direction}'; it has {cube.Shape.CabledLinks(server)}."
            );
        }

        return way switch
        {
            "out" => LinkScope.Link(server, link),
            "in" => LinkScope.Link(cube.Shape.Step(server, link), link.Opposite()),
            _ => LinkScope.Cable(server, link),
        };
    }

    private Coordinate ServerOf(string text)
    {
        TorusShape shape = cube.Shape;
        Coordinate server =
            Coordinate.TryParse(text, out Coordinate coordinate) && shape.Contains(coordinate) ? coordinate
            : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int rank) && rank < shape.Count
                ? shape.At(rank)
            : text == "self" && cube.LocalRanks is [int own] ? shape.At(own)
            : throw new FormatException(
                $"at={text}: there is no server '{text}'; there are the ranks 0 to {shape.Count - 1}, "
                    + $"or 0,0,0 to {shape.At(shape.Count - 1)}."
            );
        return cube.LocalRanks.Contains(shape.RankOf(server))
            ? server
            : throw new FormatException($"at={text}: server {server} is not run by this process.");
    }

    private ServiceId ServiceOf(string text)
    {
        LoadedService? named = services.Services.FirstOrDefault(service => service.Definition.Name == text);
        if (named is not null)
        {
            return named.Definition.Id;
        }

        // The runtime's own service has no name here, and an id.
        return
            text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            && ushort.TryParse(
                text.AsSpan(2),
                NumberStyles.AllowHexSpecifier,
                CultureInfo.InvariantCulture,
                out ushort id
            )
            ? new ServiceId(id)
            : throw new FormatException(
                $"service={text}: there is no such service; "
                    + $"there are {string.Join(", ", services.Services.Select(service => service.Definition.Name))}, "
                    + "or ids as in 0x0001."
            );
    }
}
