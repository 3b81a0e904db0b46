using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Requests;

/// <summary>
/// What a server does as the root of keys (HPDC §5.1): reads and changes its items, once per request, and answers. Loop
/// only.
/// </summary>
internal sealed class RootSide(
    IServer server,
    MessageChannel<CacheHeader> channel,
    CommandRunner runner,
    Holdings holdings,
    FlushMoment flush,
    RecentAnswers answers,
    CacheCounters counters)
{
    private readonly long _startNanos = server.NowNanos;

    /// <summary>A request of this very server: no packets. Reply and value count only if the answer is Ready.</summary>
    public Readiness TryRun(
        Key memId,
        in CacheTerms terms,
        ReadOnlySpan<byte> clientKey,
        ReadOnlySpan<byte> value,
        bool isTooLarge,
        out CacheReply reply,
        out byte[]? read,
        out long waitNanos)
    {
        (reply, read) = (default, null);
        flush.RunDue();
        Readiness readiness = holdings.Check(memId, out Holding? holding, out waitNanos);
        if (holding is null)
        {
            return readiness;
        }

        var command = new Command
        {
            Operation = terms.Operation,
            MemId = memId,
            ClientKey = clientKey,
            Value = isTooLarge ? default : value,
            Flags = terms.Flags,
            Expiry = terms.Expiry,
            Cas = terms.Cas,
            Delta = terms.Delta,
            IsTooLarge = isTooLarge,
        };
        reply = runner.Run(command, holding.Group, UtcTicks(), out read);
        return Readiness.Ready;
    }

    /// <summary>The same, with the value written where the request says.</summary>
    public Readiness TryRun(
        Key memId, in CacheRequest request, bool isTooLarge, out CacheReply reply, out long waitNanos)
    {
        Readiness readiness = TryRun(
            memId, request.Terms, request.Key.Span, request.Value.Span, isTooLarge, out reply, out byte[]? read, out waitNanos);
        if (read is not null && !ValueWriter.TryWrite(request.Into, read))
        {
            reply = new CacheReply(CacheStatus.Unavailable);
        }

        return readiness;
    }

    /// <summary>A read of another server.</summary>
    public void OnRead(in IncomingMessage<CacheHeader> message)
    {
        CacheHeader header = message.Header;
        ReadOnlySpan<byte> clientKey = message.Content;
        if (clientKey.Length == 0 || clientKey.Length != header.KeyLength || header.Code != (byte)CacheOperation.Get)
        {
            return;
        }

        flush.RunDue();
        Readiness readiness = holdings.Check(header.MemId, out Holding? holding, out long waitNanos);
        if (holding is null)
        {
            Refuse(message, readiness, waitNanos);
            return;
        }

        var command = new Command { Operation = CacheOperation.Get, MemId = header.MemId, ClientKey = clientKey };
        CacheReply reply = runner.Run(command, holding.Group, UtcTicks(), out byte[]? value);
        Reply(message, reply, value);
    }

    /// <summary>A change of another server.</summary>
    public void OnChange(in IncomingMessage<CacheHeader> message)
    {
        CacheHeader header = message.Header;
        if (!TryParse(message, out ChangeHead head, out Command command))
        {
            return;
        }

        var id = new RequestId(message.Source, message.Id.Run, head.Request);
        switch (answers.Find(id, out CacheReply earlier))
        {
            case RecentAnswers.Knowledge.Answered:
                counters[CacheCount.RepeatedAnswers].Add();
                Reply(message, earlier, null);
                return;
            case RecentAnswers.Knowledge.Forgotten:
                Refuse(message, RefusalReason.Forgotten, 0);
                return;
        }

        if (head.Root != server.Coordinate || head.RootRun != channel.Run)
        {
            Refuse(message, RefusalReason.WrongRun, 0);
            return;
        }

        if (server.NowNanos >= head.DeadlineNanos)
        {
            Refuse(message, RefusalReason.Late, 0);
            return;
        }

        flush.RunDue();
        Readiness readiness = holdings.Check(header.MemId, out Holding? holding, out long waitNanos);
        if (holding is null)
        {
            Refuse(message, readiness, waitNanos);
            return;
        }

        CacheReply reply = runner.Run(command, holding.Group, UtcTicks(), out byte[]? value);
        if (command.Operation != CacheOperation.GetAndTouch)
        {
            // A value that was read is not kept: doing it again gives the same.
            answers.Add(id, reply, server.NowNanos);
        }

        Reply(message, reply, value);
    }

    private static bool TryParse(in IncomingMessage<CacheHeader> message, out ChangeHead head, out Command command)
    {
        CacheHeader header = message.Header;
        ReadOnlySpan<byte> content = message.Content;
        head = default;
        command = default;
        if (header.KeyLength == 0 || content.Length < ChangeHead.Size + header.KeyLength ||
            header.Code is (byte)CacheOperation.Get or > (byte)CacheOperation.Touch)
        {
            return false;
        }

        head = MemoryMarshal.Read<ChangeHead>(content);
        command = new Command
        {
            Operation = (CacheOperation)header.Code,
            MemId = header.MemId,
            ClientKey = content.Slice(ChangeHead.Size, header.KeyLength),
            Value = content[(ChangeHead.Size + header.KeyLength)..],
            Flags = header.Flags,
            Expiry = head.Expiry,
            Cas = head.Cas,
            Delta = head.Delta,
            IsTooLarge = head.IsTooLarge != 0,
        };
        return true;
    }

    private void Reply(in IncomingMessage<CacheHeader> message, CacheReply reply, byte[]? value)
    {
        CacheHeader header = Answering(message, PacketKind.Answer, (byte)reply.Status);
        header.Flags = reply.Flags;
        var head = new AnswerHead
        {
            Run = channel.Run,
            NowNanos = server.NowNanos,
            Cas = reply.Cas,
            Number = reply.Number,
        };
        channel.Answer(message, header, MemoryMarshal.AsBytes(new ReadOnlySpan<AnswerHead>(in head)), value);
    }

    private void Refuse(in IncomingMessage<CacheHeader> message, Readiness readiness, long waitNanos) =>
        Refuse(message, readiness == Readiness.NotRoot ? RefusalReason.NotRoot : RefusalReason.NotYet, waitNanos);

    private void Refuse(in IncomingMessage<CacheHeader> message, RefusalReason reason, long waitNanos)
    {
        CacheHeader header = Answering(message, PacketKind.Refusal, (byte)reason);
        var head = new RefusalHead
        {
            Run = channel.Run,
            NowNanos = server.NowNanos,
            UptimeNanos = server.NowNanos - _startNanos,
            WaitNanos = waitNanos,
        };
        channel.Answer(message, header, MemoryMarshal.AsBytes(new ReadOnlySpan<RefusalHead>(in head)), default);
    }

    private static CacheHeader Answering(in IncomingMessage<CacheHeader> message, PacketKind kind, byte code) => new()
    {
        Kind = (byte)kind,
        Code = code,
        MemId = message.Header.MemId,
        Question = message.Header.Question,
        Attempt = message.Header.Attempt,
    };

    private long UtcTicks() => server.TimeProvider.GetUtcNow().Ticks;
}
