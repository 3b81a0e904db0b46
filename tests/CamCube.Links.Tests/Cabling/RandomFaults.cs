namespace CamCube.Cabling.Tests;

/// <summary>What people do wrong when they plug cables.</summary>
internal static class RandomFaults
{
    /// <summary>Makes some faults, and says which in words.</summary>
    public static string Apply(CablingNet net, Random random, int count)
    {
        var done = new List<string>();
        for (int i = 0; i < count && net.Cables.Count > 1; i++)
        {
            done.Add(Apply(net, random));
        }

        return string.Join(", ", done);
    }

    private static string Apply(CablingNet net, Random random)
    {
        NetCable cable = net.Cables[random.Next(net.Cables.Count)],
            other = net.Cables[random.Next(net.Cables.Count)];
        switch (random.Next(6))
        {
            case 0:
                net.Remove(cable);
                return "missing";
            case 1 when other != cable:
                net.Remove(cable);
                net.Remove(other);
                bool isCrossed = random.Next(2) == 0;
                net.Connect(cable.A, cable.PortA, isCrossed ? other.A : other.B, isCrossed ? other.PortA : other.PortB);
                net.Connect(cable.B, cable.PortB, isCrossed ? other.B : other.A, isCrossed ? other.PortB : other.PortA);
                return "swapped";
            case 2 when cable.A != cable.B && cable.A.Ports.Count > 1:
                NetServer server = cable.A;
                int port = cable.PortA,
                    with = (port + 1 + random.Next(server.Ports.Count - 1)) % server.Ports.Count;
                SwapPorts(net, server, port, with);
                return $"ports of {server.Id.Short} swapped";
            case 3 when cable.A != cable.B:
                net.Remove(cable);
                NetServer stranger = net.AddServer(default);
                stranger.ClusterId = "foreign";
                net.Connect(
                    cable.A,
                    cable.PortA,
                    stranger,
                    stranger.PortOf(cable.A.Ports[cable.PortA].Link!.Value.Opposite())
                );
                return "foreign";
            case 4:
                cable.A.MaxFrame[cable.PortA] = 1_514;
                return "small frames";
            default:
                net.Remove(cable);
                if (cable.A.Cables.Count < cable.A.Ports.Count)
                {
                    int free = Enumerable
                        .Range(0, cable.A.Ports.Count)
                        .First(p => !cable.A.Cables.ContainsKey(p) || p == cable.PortA);
                    if (free != cable.PortA)
                    {
                        net.Connect(cable.A, cable.PortA, cable.A, free);
                        return "loop";
                    }
                }

                return "missing";
        }
    }

    private static void SwapPorts(CablingNet net, NetServer server, int one, int two)
    {
        server.Cables.TryGetValue(one, out NetCable? first);
        server.Cables.TryGetValue(two, out NetCable? second);
        (NetServer Server, int Port)? farOne = first?.From(server, one),
            farTwo = second?.From(server, two);
        if (first is not null)
        {
            net.Remove(first);
        }

        if (second is not null && second != first)
        {
            net.Remove(second);
        }

        if (first == second)
        {
            return;
        }

        if (farOne is { } a)
        {
            net.Connect(server, two, a.Server, a.Port);
        }

        if (farTwo is { } b)
        {
            net.Connect(server, one, b.Server, b.Port);
        }
    }
}
