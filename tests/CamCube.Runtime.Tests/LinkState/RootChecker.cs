using CamCube.Topology;

namespace CamCube.Runtime.Tests.LinkState;

/// <summary>
/// Checks after every change of a view or of keys that no two servers that have their keys are root of one key.
/// </summary>
internal sealed class RootChecker(LinkStateCube cube)
{
    private readonly Dictionary<(CubeView View, int Component), ushort[]> _roots = [];
    private long _checked = -1;

    public int Checks { get; private set; }

    public void Check()
    {
        if (cube.Changes == _checked)
        {
            return;
        }

        _checked = cube.Changes;
        Checks++;
        var owner = new int[cube.Shape.Count * ReplicaSequences.Count];
        foreach (TestServer server in cube.Alive.Where(s => s.HasKeys))
        {
            ushort[] roots = RootsOf(server);
            for (int i = 0; i < roots.Length; i++)
            {
                if (roots[i] != server.Rank)
                {
                    continue;
                }

                if (owner[i] != 0)
                {
                    Assert.Fail(
                        $"Both {cube.Shape.At(owner[i] - 1)} and {server.Coordinate} are root of home "
                            + $"{cube.Shape.At(i / ReplicaSequences.Count)}, sequence {i % ReplicaSequences.Count}.\n"
                            + cube.Describe()
                    );
                }

                owner[i] = server.Rank + 1;
            }
        }
    }

    private ushort[] RootsOf(TestServer server)
    {
        int component = 0;
        while (!server.View.IsReachable(server.Coordinate, cube.Shape.At(component)))
        {
            component++;
        }

        if (_roots.TryGetValue((server.View, component), out ushort[]? roots))
        {
            return roots;
        }

        roots = new ushort[cube.Shape.Count * ReplicaSequences.Count];
        for (int i = 0; i < roots.Length; i++)
        {
            Destination home = cube.Shape.At(i / ReplicaSequences.Count);
            ulong route = home.Route | (uint)(i % ReplicaSequences.Count);
            roots[i] = (ushort)cube.Shape.RankOf(server.View.RootOf(route, server.Coordinate));
        }

        return _roots[(server.View, component)] = roots;
    }
}
