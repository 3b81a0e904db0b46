using CamCube.Runtime.Observing;

namespace CamCube.Simulator.Seeing;

/// <summary>
/// Finds out which server sends the N-th packet of a run. Packets are counted when a service gives them to the runtime,
/// as the services' own counters of sent packets do, in the order of virtual time, then of ranks, then of the server's
/// own sends; the link-state service's do not count. Equal runs have equal orders, so a run that ends when the packet
/// is found tells whom to look at in the next.
/// </summary>
/// <param name="shape">The cube.</param>
/// <param name="number">N, from 1.</param>
public sealed class PacketFinder(TorusShape shape, long number)
{
    private readonly Sends?[] _servers = new Sends?[shape.Count];

    /// <summary>Packets of services sent so far, as of the last <see cref="Look"/>.</summary>
    public long Sent { get; private set; }

    /// <summary>The server that sent it, and the number of the packet among those of that server; null until it is
    /// known.</summary>
    public (Coordinate Server, long Number)? Found { get; private set; }

    /// <summary>The observer of a server, the same in all its runs.</summary>
    public IServerObserver ObserverOf(Coordinate server) => _servers[shape.RankOf(server)] ??= new Sends();

    /// <summary>Between steps of the cube: counts what was sent meanwhile.</summary>
    public void Look()
    {
        long before = Sent;
        foreach (Sends? server in _servers)
        {
            Sent += server?.Times.Count ?? 0;
        }

        if (Found is null && Sent >= number)
        {
            Found = Find((int)(number - before));
        }

        foreach (Sends? server in _servers)
        {
            server?.Forget();
        }
    }

    // The n-th of those sent since the last look, from 1.
    private (Coordinate, long) Find(int n)
    {
        var all = new List<(long Time, int Rank, long Number)>();
        for (int rank = 0; rank < _servers.Length; rank++)
        {
            if (_servers[rank] is { } server)
            {
                all.AddRange(server.Times.Select((time, i) => (time, rank, server.Earlier + i + 1)));
            }
        }

        all.Sort();
        return (shape.At(all[n - 1].Rank), all[n - 1].Number);
    }

    private sealed class Sends : PacketObserver
    {
        public List<long> Times { get; } = [];

        public long Earlier { get; private set; }

        public override void Sent(in PacketSummary packet, LinkSet links, long now)
        {
            if (packet.Service.Value > ServiceId.LastReserved)
            {
                Times.Add(now);
            }
        }

        public void Forget()
        {
            Earlier += Times.Count;
            Times.Clear();
        }
    }
}
