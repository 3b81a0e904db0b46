using CamCube.Runtime.Core;
using CamCube.Runtime.Storage;
using CamCube.Topology;

namespace CamCube.Runtime.Engine;

/// <summary>What the link-state service does to its server: the only way in which views, link states and keys
/// change.</summary>
internal sealed class CoreServer(ServerRuntime server, ServiceView view) : ICoreServer
{
    public IServer Server => view;

    public LivenessOptions Liveness => server.Context.Options.Liveness;

    public bool IsCommissioned => server.IsCommissioned;

    public CubeViewCache Views => server.Context.Views;

    public long LastHeardNanos(Link link) => OnClock(server.Counters.Links[(int)link].HeardNanos);

    public long LastSentNanos(Link link) => OnClock(server.Counters.Links[(int)link].SentNanos);

    public void ForgiveSilence(long nowNanos)
    {
        for (int i = 0; i < Links.Cables; i++)
        {
            if (server.Counters.Links[i].HeardNanos != long.MinValue)
            {
                server.Counters.Links[i].HeardNanos = server.TrueTimeOf(nowNanos);
            }
        }
    }

    public void SetLinkUp(Link link, bool up)
    {
        byte bit = ((LinkSet)link).Bits;
        byte before = server.Hot.Ref.Up;
        byte after = (byte)(up ? before | bit : before & ~bit);
        if (before == after)
        {
            return;
        }

        server.Hot.Ref.Up = after;
        if (!up)
        {
            server.NeedsReroute = true;
            server.Defer();
        }
        else
        {
            server.Sources.Wake(bit);
        }

        server.Host.TopologyChanged(
            new TopologyChange(
                up ? TopologyEvent.LinkUp : TopologyEvent.LinkDown,
                server.Topology.Neighbour(link),
                link,
                server.Router.Version
            )
        );
    }

    public void SetView(CubeView next)
    {
        CubeView? before = server.Router.View;
        server.Router.SetView(next);
        if (before is null || before.HasSameContent(next))
        {
            return;
        }

        long version = server.Router.Version;
        foreach (Coordinate lost in next.LostSince(before, server.Coordinate))
        {
            Notify(TopologyEvent.ServerLost, lost, version);
        }

        foreach (Coordinate gone in next.UnreachableSince(before, server.Coordinate))
        {
            Notify(TopologyEvent.ServerUnreachable, gone, version);
        }

        foreach (Coordinate returned in next.ReturnedSince(before, server.Coordinate))
        {
            Notify(TopologyEvent.ServerReturned, returned, version);
        }
    }

    public void ReturnServices(Action completed) => server.Host.Return(Liveness.ReturnTimeout, completed);

    // Once, before the server has had its keys, and for a run that can have been: whoever can forge a frame could
    // otherwise empty the services of a running server, again and again, or have a number kept for ever that no clock
    // will reach.
    public void BeginAnew(ulong incarnation)
    {
        if (server.HasHadKeys || server.HasBegunAnew || incarnation > RunJournal.Latest)
        {
            return;
        }

        // Not now: the link-state service is in the middle of a packet.
        server.HasBegunAnew = true;
        server.Incarnation = Math.Max(server.Incarnation, incarnation);
        server.PostControl(view, static s => ((ServerRuntime)s!).Host.RestartAll(), server);
    }

    public void SetSettled(bool isSettled)
    {
        server.Router.IsSettled = isSettled;
        if (isSettled)
        {
            // By the view that is known now most of them go elsewhere.
            server.Dispatch.DeliverAwaitingKeys();
        }
    }

    public void TrustKeysUntil(long nanos) => server.Router.KeysTrustedUntilNanos = nanos;

    public void SetHasKeys(bool hasKeys)
    {
        if (server.Router.HasKeys == hasKeys)
        {
            return;
        }

        server.Router.HasKeys = hasKeys;
        server.HasHadKeys |= hasKeys;
        if (hasKeys)
        {
            server.Dispatch.DeliverAwaitingKeys();
        }

        server.Host.TopologyChanged(
            new TopologyChange(
                hasKeys ? TopologyEvent.KeysTaken : TopologyEvent.KeysSuspended,
                server.Coordinate,
                Link.Local,
                server.Router.Version
            )
        );
    }

    // Tallies are kept in true time; long.MinValue = never.
    private long OnClock(long trueNanos) =>
        trueNanos == long.MinValue || server.Clock is null ? trueNanos : server.Clock.Read(trueNanos);

    private void Notify(TopologyEvent kind, Coordinate other, long version)
    {
        if (other != server.Coordinate)
        {
            server.Host.TopologyChanged(
                new TopologyChange(kind, other, Link.Local, version)
                {
                    Incarnation = server.Topology.IncarnationOf(other),
                }
            );
        }
    }
}
