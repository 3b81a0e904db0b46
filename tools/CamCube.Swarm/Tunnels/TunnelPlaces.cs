using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Tunnels;

/// <summary>Where the cube of a swarm run meets other networks.</summary>
/// <param name="Bridge">Rank of the server of the bridge; -1: there is none.</param>
/// <param name="Gateways">Ranks of the gateways, in the order of the list.</param>
/// <param name="Second">Rank of the server whose card somebody put in a bridge to the same network, by mistake; -1:
/// none.</param>
internal sealed record TunnelPlaces(int Bridge, IReadOnlyList<int> Gateways, int Second)
{
    private const int MostGateways = 3;

    /// <summary>Nowhere.</summary>
    public static TunnelPlaces None { get; } = new(-1, [], -1);

    /// <summary>Places that a seed says.</summary>
    public static TunnelPlaces Draw(TorusShape shape, Random random)
    {
        int bridge = random.Next(shape.Count);
        List<int> gateways = [];
        for (int i = random.Next(1, MostGateways + 1); i > 0; i--)
        {
            int rank = random.Next(shape.Count);
            if (!gateways.Contains(rank))
            {
                gateways.Add(rank);
            }
        }

        int second = random.Next(3) == 0 ? random.Next(shape.Count) : -1;
        return new TunnelPlaces(bridge, gateways, second == bridge ? -1 : second);
    }

    /// <summary>The gateway that what a server's machine sends to other networks must come to; -1: none is there.
    /// </summary>
    public int NearestTo(int rank, SwarmCube cube)
    {
        TorusShape shape = cube.Cube.Shape;
        int nearest = -1,
            least = int.MaxValue;
        foreach (int gateway in Gateways)
        {
            int distance = shape.Distance(shape.At(rank), shape.At(gateway));
            if (distance < least && cube.Truth.ComponentOf(rank) == cube.Truth.ComponentOf(gateway))
            {
                (nearest, least) = (gateway, distance);
            }
        }

        return nearest;
    }
}
