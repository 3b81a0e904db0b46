using System.Buffers;
using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Backing;
using CamCube.Services.Cache.Lending;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Roots;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.HotSpots;

/// <summary>
/// What a server does as the root of items' extra keys (HPDC §5.1): answers reads from copies, brings those that it
/// cannot answer to the root, keeps what comes back and passes it on. It remembers nothing about reads that are on
/// their way. Loop only.
/// </summary>
internal sealed class HolderSide(
    IServer server,
    MessageChannel<CacheHeader> channel,
    RootSide root,
    Holdings<ItemGroup> holdings,
    FlushMoment flush,
    CopyTable copies,
    Leases lease,
    BackedKeys backed
)
{
    private readonly RootAnswers _answering = new(server, channel);

    /// <summary>Takes answers for this server's own clients: header, who answered, hops beyond it, answer's head and
    /// value.</summary>
    public AnswerTaker TakeAnswer { get; set; } = static (in _, _, _) => { };

    /// <summary>See <see cref="TakeAnswer"/>.</summary>
    public delegate void AnswerTaker(in CacheHeader header, Coordinate source, ReadOnlySpan<byte> content);

    /// <summary>A read of this server's own client: no packets. False: there is no copy that may be served.</summary>
    public bool TryRead(
        Key memId,
        in CacheTerms terms,
        ReadOnlySpan<byte> clientKey,
        out CacheReply reply,
        out ItemValue value
    )
    {
        (reply, value) = (default, default);
        if (copies.Count == 0 || !RequestRules.IsPlainRead(terms))
        {
            return false;
        }

        flush.RunDue();
        return copies.TryRead(memId, clientKey, out reply, out value);
    }

    /// <summary>
    /// Asks the root of an item for it; the answer comes to this server, which keeps a copy and passes it on. What this
    /// server has from an earlier copy need not come again.
    /// </summary>
    /// <param name="header">Of the read.</param>
    /// <param name="clientKey">The client's key.</param>
    /// <param name="asker">The server whose client reads.</param>
    public MessageTicket Fetch(CacheHeader header, ReadOnlySpan<byte> clientKey, Coordinate asker) =>
        Fetch(header, clientKey, asker, copies.TokenOf(header.MemId, clientKey));

    /// <summary>A read of another server's client.</summary>
    public void OnLookup(in Asked<CacheHeader> asked)
    {
        CacheHeader header = asked.Header;
        flush.RunDue();
        if (copies.TryRead(header.MemId, asked.Content, out CacheReply reply, out ItemValue value))
        {
            _answering.Reply(asked, reply, value);
        }
        else if (holdings.Check(header.MemId, changes: false, out _, out _) == Readiness.Ready)
        {
            root.OnRead(asked);
        }
        else
        {
            Fetch(header, asked.Content, asked.Source);
        }
    }

    /// <summary>A root's answer to a read that this server passed on.</summary>
    public void OnCopy(in IncomingMessage<CacheHeader> message)
    {
        CacheHeader header = message.Header;
        int before = CopyHead.Size + header.KeyLength;
        CopyHead copy = MemoryMarshal.Read<CopyHead>(message.Content);
        ReadOnlySpan<byte> clientKey = message.Content.Slice(CopyHead.Size, header.KeyLength);
        ReadOnlySpan<byte> content = message.Content[before..];
        AnswerHead head = MemoryMarshal.Read<AnswerHead>(content);
        ItemValue kept = default;
        if (copy.Fetch.IsSame != 0 && !copies.TryGetKept(header.MemId, clientKey, head.Cas, out kept))
        {
            // It was flushed or went meanwhile.
            header.Code = (byte)CacheOperation.Get;
            header.Flags = backed.Has(clientKey) ? RequestRules.Backed : 0;
            Fetch(header, clientKey, copy.Fetch.Asker, hasCas: 0);
            return;
        }

        byte[] bytes = ArrayPool<byte>.Shared.Rent(content.Length + kept.Length);
        Span<byte> answer = bytes.AsSpan(0, content.Length + kept.Length);
        content.CopyTo(answer);
        if (kept.IsThere)
        {
            kept.CopyTo(answer[content.Length..]);
        }

        if (copy.LeaseNanos > 0 && header.Code == (byte)CacheStatus.Done)
        {
            Keep(message, copy, head, answer[AnswerHead.Size..]);
        }

        header.Kind = (byte)PacketKind.Answer;
        header.KeyLength = 0;
        if (copy.Fetch.Asker == server.Coordinate)
        {
            TakeAnswer(header, message.Source, answer);
        }
        else
        {
            // From here on it is this server's answer: run and clock are its own.
            head.Root = RootStamp.Of(server, channel.Run);
            head.Hops = (ushort)Math.Max(0, server.Topology.HopsTo(message.Source));
            MemoryMarshal.Write(answer, head);
            channel.Send(header, answer, default, copy.Fetch.Asker);
        }

        ArrayPool<byte>.Shared.Return(bytes);
    }

    /// <summary>A root wants that there is no copy.</summary>
    public void OnFlush(in IncomingMessage<CacheHeader> message)
    {
        copies.Flush(message.Header.MemId);
        var header = new CacheHeader
        {
            MemId = message.Header.MemId,
            Question = message.Header.Question,
            Kind = (byte)PacketKind.CopyFlushed,
        };
        channel.Answer(message, header, default, default);
    }

    private MessageTicket Fetch(CacheHeader header, ReadOnlySpan<byte> clientKey, Coordinate asker, ulong hasCas)
    {
        Span<byte> content = stackalloc byte[FetchHead.Size + CacheOptions.MaxKeyLength];
        var head = new FetchHead
        {
            HolderRun = channel.Run,
            AskedNanos = server.NowNanos,
            HasCas = hasCas,
            Asker = asker,
        };
        MemoryMarshal.Write(content, head);
        clientKey.CopyTo(content[FetchHead.Size..]);
        header.Kind = (byte)PacketKind.Fetch;
        return channel.Send(header, content[..(FetchHead.Size + clientKey.Length)], default, header.MemId);
    }

    private void Keep(
        in IncomingMessage<CacheHeader> message,
        in CopyHead copy,
        in AnswerHead head,
        ReadOnlySpan<byte> value
    )
    {
        // Not what another run asked for, nor what comes from a server that lost its keys without knowing it, nor what
        // was read before a flush_all that was done here.
        CacheHeader header = message.Header;
        long nanos = Math.Min(copy.LeaseNanos, lease.Nanos) - lease.DriftNanos;
        flush.RunDue();
        if (
            copy.Fetch.HolderRun == channel.Run
            && copy.FlushStamp >= flush.DoneStamp
            && copy.Fetch.AskedNanos <= server.NowNanos
            && server.Topology.RootOf(header.MemId) == message.Source
        )
        {
            ReadOnlySpan<byte> clientKey = message.Content.Slice(CopyHead.Size, header.KeyLength);
            var reply = new CacheReply(CacheStatus.Done, header.Flags, head.Cas) { Facts = head.Facts };
            (long asked, long end) = (copy.Fetch.AskedNanos, copy.Fetch.AskedNanos + nanos);
            if (copy.Fetch.IsSame != 0)
            {
                copies.Renew(header.MemId, clientKey, reply, message.Source, asked, end);
            }
            else
            {
                copies.Put(header.MemId, clientKey, value, reply, message.Source, asked, end);
            }
        }
    }
}
