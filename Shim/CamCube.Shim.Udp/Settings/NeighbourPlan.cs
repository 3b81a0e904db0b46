using CamCube.Shim.Udp.Endpoints;

namespace CamCube.Shim.Udp.Settings;

/// <summary>Which server this is and where its neighbours are, by the settings. Pure functions.</summary>
internal static class NeighbourPlan
{
    /// <summary>The place of this server; null: the links find it out.</summary>
    /// <exception cref="LinkProviderException">The settings contradict each other.</exception>
    public static Coordinate? Place(LinkProviderRequest request, UdpOptions options, Func<string> hostName)
    {
        if (!options.RankFromHostName)
        {
            return request.Coordinate;
        }

        string name = hostName();
        if (!HostNameRank.TryParse(name, out int rank))
        {
            throw new LinkProviderException(
                $"CamCube:Udp:RankFromHostName = 'true', but the host name '{name}' does not end in a number, "
                    + $"as camcube-5 does."
            );
        }

        if (rank >= request.Shape.Count)
        {
            throw new LinkProviderException(
                $"CamCube:Udp:RankFromHostName = 'true', but the host name '{name}' has no place in a "
                    + $"{request.Shape} cube, whose ranks are 0 to {request.Shape.Count - 1}."
            );
        }

        Coordinate place = request.Shape.At(rank);
        return request.Coordinate is not { } given || given == place
            ? place
            : throw new LinkProviderException(
                $"CamCube:Coordinate = '{given}', but by its host name '{name}' this server is {place} "
                    + $"(CamCube:Udp:RankFromHostName)."
            );
    }

    /// <summary>The neighbours, in the order of the links.</summary>
    /// <exception cref="LinkProviderException">Some are missing, or one is too many.</exception>
    public static IReadOnlyList<(Link Link, HostPort Neighbour)> For(
        TorusShape shape,
        Coordinate? coordinate,
        UdpOptions options
    )
    {
        if (coordinate is null && options.Pattern is not null)
        {
            throw new LinkProviderException(
                "CamCube:Udp:Pattern says where servers are by their places: set CamCube:Coordinate, as in 0,0,0, "
                    + "or CamCube:Udp:RankFromHostName."
            );
        }

        if (options.Pattern is { } pattern && !pattern.TellsServersApart(shape))
        {
            throw new LinkProviderException(
                "CamCube:Udp:Pattern gives all servers the same host; it needs {rank}, or {x}, {y} and {z}."
            );
        }

        // Without a place, an axis of two servers with one cable has it at one of the two links, and only the settings
        // say at which.
        LinkSet possible = coordinate is { } place
            ? shape.CabledLinks(place)
            : (shape with { ParallelCables = true }).CabledLinks(default);
        foreach (Link link in options.Neighbours.Keys)
        {
            if (!possible.Contains(link))
            {
                throw new LinkProviderException(
                    $"CamCube:Udp:Neighbours:{link.Name()}: this server has no cable {link.Name()} in a {shape} cube."
                );
            }
        }

        List<(Link, HostPort)> plan = [];
        foreach (Link link in possible)
        {
            if (options.Neighbours.TryGetValue(link, out HostPort given))
            {
                plan.Add((link, given));
            }
            else if (coordinate is { } self && options.Pattern is { } all)
            {
                plan.Add((link, all.For(shape, shape.Step(self, link), link.Opposite())));
            }
            else if (coordinate is not null || shape.ParallelCables || shape[link.Axis()] > 2)
            {
                throw new LinkProviderException(
                    $"CamCube:Udp:Neighbours:{link.Name()} or CamCube:Udp:Pattern is needed: "
                        + $"nothing says where the neighbour {link.Name()} is."
                );
            }
        }

        return plan;
    }
}
