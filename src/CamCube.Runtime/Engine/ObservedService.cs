using CamCube.Runtime.Observing;

namespace CamCube.Runtime.Engine;

/// <summary>
/// Stands between the packet path of an observed server and a service, and tells arrivals and verdicts. The other
/// callbacks do not come here: <see cref="ServiceSlot.Instance"/> is the service itself.
/// </summary>
internal sealed class ObservedService(ServerRuntime server, IServerObserver observer, ICamCubeService inner)
    : ICamCubeService
{
    public ICamCubeService Inner => inner;

    /// <summary>The service, with an observer in front of it if the server has one.</summary>
    public static ICamCubeService Of(ServerRuntime server, ICamCubeService service) =>
        server.Observer is { } observer ? new ObservedService(server, observer, service) : service;

    public Verdict OnPacket(in HopContext hop, Packet packet)
    {
        var before = PacketSummary.Of(packet);
        uint owner = packet.OwnerWord;
        observer.Arrived(before, hop.ArrivedOn, hop.IsDestination, server.Now);
        Verdict verdict;
        try
        {
            verdict = inner.OnPacket(hop, packet);
        }
        catch
        {
            observer.Threw(before, server.Now);
            throw;
        }

        // A packet that the service has sent or released is somebody else's by now.
        bool isThere = packet.OwnerWord == owner && packet.IdWord == before.Id;
        PacketSummary after = isThere ? PacketSummary.Of(packet) : before;
        observer.Decided(after, verdict, isThere ? LinksFor(verdict, packet) : LinkSet.None, server.Now);
        return verdict;
    }

    private LinkSet LinksFor(Verdict verdict, Packet packet) =>
        verdict.Kind switch
        {
            VerdictKind.Forward => new LinkSet((byte)server.Router.Route(packet)),
            VerdictKind.Via or VerdictKind.ViaAll => verdict.Links
                & new LinkSet((byte)(server.Hot.Ref.Up | (1 << (int)Link.Local))),
            _ => LinkSet.None,
        };
}
