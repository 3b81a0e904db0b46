using CamCube.Faults;
using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Engine;

/// <summary>
/// Puts fault rules in front of the simulated links of those servers that they concern, and takes them away again:
/// between events, so that links without rules are used as if there were none.
/// </summary>
internal sealed class FaultyCables
{
    private readonly SweepEngine _engine;
    private readonly LinkDriver?[] _faulty;

    /// <param name="engine">The cube.</param>
    /// <param name="seed">Seed of what the rules draw.</param>
    /// <param name="act">Does something between events, now or soon.</param>
    public FaultyCables(SweepEngine engine, ulong seed, Action<Action> act)
    {
        _engine = engine;
        Rules = new LinkFaultRules(engine.Shape, seed);
        _faulty = new LinkDriver?[Rules.Shape.Count];
        Rules.Changed = () => act(AttachAll);
        engine.LinksOf = LinksOf;
    }

    public LinkFaultRules Rules { get; }

    private void AttachAll()
    {
        for (int rank = 0; rank < _faulty.Length; rank++)
        {
            if (_engine.ServerAt(rank) is { } server)
            {
                server.Attach(LinksOf(server, _engine.PlainLinksOf(rank)));
            }
        }
    }

    private LinkDriver LinksOf(ServerRuntime server, LinkDriver plain)
    {
        if (!Rules.Concern(server.Rank))
        {
            return plain;
        }

        LinkDriver links = _faulty[server.Rank] ??= Rules.Wrap(server.Rank, plain);
        links.Attach(new FramePort(server));
        return links;
    }
}
