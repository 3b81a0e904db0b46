using CamCube.Topology;

namespace CamCube.Runtime.Core;

/// <summary>
/// Writes and sends the packets of the link-state service: heartbeats, batches, acknowledgements, each when it is due.
/// What cannot be sent now (no packet to be had) stays due. A batch has all that the neighbour has not acknowledged,
/// oldest first, as far as it fits.
/// </summary>
internal sealed class FloodSender(ICoreServer core, CubeDatabase database, long repeatNanos)
{
    /// <summary>Most entries of a batch: 8,000 bytes of a jumbo frame.</summary>
    private const int MostEntries = 400;

    private readonly Counter _heartbeats = core.Server.Counters.Create("heartbeats", "{packet}");
    private readonly Counter _batches = core.Server.Counters.Create("batches", "{packet}");
    private readonly Counter _repeated = core.Server.Counters.Create("repeated-batches", "{packet}");

    /// <summary>Sends what is due on a link.</summary>
    public void Flush(NeighbourLink link, long nowNanos)
    {
        bool isBatch = WantsBatch(link, nowNanos);
        if (isBatch || link.MustSend)
        {
            Send(link, isBatch, nowNanos);
        }
    }

    private bool WantsBatch(NeighbourLink link, long nowNanos)
    {
        if (
            link.Phase == LinkPhase.Down
            || (!link.OwesComplete && !database.Log.HasPending(link.Link, link.Acknowledged))
        )
        {
            return false;
        }

        if (!link.IsAwaiting || nowNanos - link.SentNanos >= repeatNanos)
        {
            return true;
        }

        // News does not wait for the acknowledgement of older news.
        return link.HasWindow
            && !link.IsTruncated
            && (
                (link.OwesComplete && !link.IsCompleteInFlight)
                || database.Log.HasPending(link.Link, Math.Max(link.SentEnd, link.Acknowledged))
            );
    }

    private void Send(NeighbourLink link, bool isBatch, long nowNanos)
    {
        CubeView view = database.View;
        IServer server = core.Server;
        Span<ushort> ranks = stackalloc ushort[MostEntries];
        int room = (server.Packets.MaxPayload - LinkStateService.HeaderLength) / EntryCodec.Length;
        long end = 0;
        int count = isBatch
            ? database.Log.Pick(link.Link, link.Acknowledged, ranks[..Math.Clamp(room, 0, MostEntries)], out end)
            : 0;
        if (!server.Packets.TryRent(count * EntryCodec.Length, out Packet? packet))
        {
            return;
        }

        Span<byte> body = packet.WritableBody();
        for (int i = 0; i < count; i++)
        {
            EntryCodec.Write(body[(i * EntryCodec.Length)..], view.EntryOf(server.Shape.At(ranks[i])));
        }

        bool isComplete = isBatch && end == database.Log.LastStamp;
        LinkStateFlags flags =
            (link.Hears ? LinkStateFlags.Hears : 0)
            | (isBatch ? LinkStateFlags.Batch : 0)
            | (isComplete ? LinkStateFlags.Complete : 0)
            | (view.IsCommissioned ? LinkStateFlags.Commissioned : 0)
            | (link.Lost is not null ? LinkStateFlags.Lost : 0)
            | (link.Phase != LinkPhase.Up && !link.HasComplete ? LinkStateFlags.Unsynchronised : 0)
            | (link.IsDoubted ? LinkStateFlags.Doubts : 0);
        uint number = link.NextNumber();
        packet.Header<LinkStateHeader>() = new LinkStateHeader
        {
            Flags = flags,
            Number = number,
            Heard = link.HeardNumber,
            Acknowledged = link.HeardBatch,
            Incarnation = database.Incarnation,
            ReceiverIncarnation = link.Incarnation,
            Digest = view.Digest,
            LostIncarnation = link.Lost?.Incarnation ?? 0,
            LostSequence = link.Lost?.Sequence ?? 0,
        };
        packet.Destination = link.Neighbour;
        if (isBatch)
        {
            (link.IsAwaiting && nowNanos - link.SentNanos >= repeatNanos ? _repeated : _batches).Add();
            link.Sent(number, end, isComplete, !isComplete, nowNanos);
        }
        else
        {
            _heartbeats.Add();
        }

        // An answer other than Accepted is a lost packet like any other: batches are repeated, heartbeats come again.
        link.MustSend = false;
        server.SendVia(packet, link.Link);
    }
}
