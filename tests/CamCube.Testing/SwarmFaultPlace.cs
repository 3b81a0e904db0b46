using System.Globalization;
using CamCube.Faults;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>Where a fault is, read from its text.</summary>
internal static class SwarmFaultPlace
{
    /// <summary>Checks that a cube has the place of a fault.</summary>
    /// <exception cref="ArgumentException">It has not; says what is wrong.</exception>
    public static void Check(TorusShape shape, SwarmFault fault)
    {
        switch (fault.Kind)
        {
            case FaultKind.OneWayCut:
                OneWay(shape, fault.Where);
                break;
            case FaultKind.Cut
            or FaultKind.Flapping
            or FaultKind.Loss
            or FaultKind.Corruption
            or FaultKind.Duplication
            or FaultKind.Reordering
            or FaultKind.Delay
            or FaultKind.SlowLink:
                LinksOf(shape, fault.Where);
                break;
            case FaultKind.Plane or FaultKind.Halves or FaultKind.OneWayHalves:
                SetOf(shape, fault.Where);
                break;
            default:
                RankOf(shape, fault.Where);
                break;
        }
    }

    /// <summary>The server, by rank.</summary>
    public static int RankOf(TorusShape shape, string where) =>
        Coordinate.TryParse(where, out Coordinate server) && shape.Contains(server)
            ? shape.RankOf(server)
            : throw new ArgumentException($"'{where}' is no server of a {shape} cube.");

    /// <summary>The links: of a server, a cable, or all.</summary>
    public static LinkScope LinksOf(TorusShape shape, string where)
    {
        if (where == "all")
        {
            return LinkScope.All;
        }

        string[] words = where.Split(' ');
        Coordinate server = shape.At(RankOf(shape, words[0]));
        return words.Length == 1 ? LinkScope.Server(server) : LinkScope.Cable(server, LinkOf(shape, server, words));
    }

    /// <summary>One direction of a cable.</summary>
    public static LinkScope OneWay(TorusShape shape, string where)
    {
        string[] words = where.Split(' ');
        Coordinate server = shape.At(RankOf(shape, words[0]));
        return LinkScope.Link(server, LinkOf(shape, server, words));
    }

    /// <summary>Some of the servers: a plane, or a half.</summary>
    public static ServerSet SetOf(TorusShape shape, string where)
    {
        const string Half = "half#";
        if (
            where.StartsWith(Half, StringComparison.Ordinal)
            && ulong.TryParse(where[Half.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out ulong seed)
        )
        {
            return ServerSet.RandomHalf(shape, seed);
        }

        int axis = where.Length > 2 && where[1] == '=' ? "xyz".IndexOf(where[0]) : -1;
        return
            axis >= 0
            && int.TryParse(where[2..], NumberStyles.None, CultureInfo.InvariantCulture, out int value)
            && value < shape[axis]
            ? ServerSet.Plane(shape, axis, value)
            : throw new ArgumentException($"'{where}' is no plane (z=1) and no half (half#7) of a {shape} cube.");
    }

    private static Link LinkOf(TorusShape shape, Coordinate server, string[] words) =>
        words.Length == 2
        && Links.TryParse(words[1], out Link link)
        && link != Link.Local
        && shape.CabledLinks(server).Contains(link)
            ? link
            : throw new ArgumentException($"'{string.Join(' ', words)}' is no cable of a {shape} cube.");
}
