using System.Net;
using CamCube.Testbed;

namespace CamCube.Experiments.Cables;

/// <summary>Two namespaces that a veth cable joins as it joins two servers, for what sockets take there. Removed when
/// it is disposed.</summary>
internal sealed class SocketPings : IDisposable
{
    private readonly TestbedPlan _plan;
    private readonly TestbedCable _cable;

    /// <summary>Makes the two namespaces and the cable.</summary>
    /// <param name="rateBitsPerSecond">Of the cable, in each direction; 0: as fast as the machine is.</param>
    public SocketPings(long rateBitsPerSecond = 0)
    {
        TorusShape shape = new TorusShape(1, 1, 2) with { ParallelCables = false };
        _plan = MeasuredTestbed.Plan(shape, "udp", rateBitsPerSecond, []);
        _cable = TestbedCable.Of(shape)[0];
        Dictionary<(int, Link), string> addresses = UdpCables.Addresses([_cable]);
        Here = IPAddress.Parse(addresses[(_cable.From, _cable.Link)]);
        Pair = new SocketPair(
            NameOf(0),
            Here,
            NameOf(1),
            IPAddress.Parse(addresses[(_cable.To, _cable.Link.Opposite())])
        );
        try
        {
            using TestbedStore store = TestbedStore.Open(_plan.Name);
            var network = new TestbedNetwork(_plan);
            network.MakeNamespaces(identities =>
                store.Write(
                    new TestbedState
                    {
                        Plan = _plan,
                        Servers =
                        [
                            .. identities.Select(
                                (identity, rank) => new TestbedServer($"{shape.At(rank)}", NameOf(rank), identity, null)
                            ),
                        ],
                    }
                )
            );
            network.MakeCables();
            Processors.TieNamespace(NameOf(0), 0);
            Processors.TieNamespace(NameOf(1), 1);
        }
        catch
        {
            MeasuredTestbed.Remove(_plan.Name);
            throw;
        }
    }

    /// <summary>The address of the first end.</summary>
    public IPAddress Here { get; }

    /// <summary>What measures; the first end asks.</summary>
    public SocketPair Pair { get; }

    /// <summary>The interface of an end.</summary>
    public string InterfaceOf(int rank) =>
        TestbedCable.InterfaceOf(rank == _cable.From ? _cable.Link : _cable.Link.Opposite());

    /// <inheritdoc/>
    public void Dispose() => MeasuredTestbed.Remove(_plan.Name);

    /// <summary>The namespace of an end.</summary>
    public string NameOf(int rank) => _plan.NamespaceOf(_plan.Torus().At(rank));
}
