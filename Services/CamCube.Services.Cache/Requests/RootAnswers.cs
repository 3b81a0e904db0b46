using System.Buffers;
using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Requests;

/// <summary>Sends what a root has to say. Loop only.</summary>
internal sealed class RootAnswers(IServer server, MessageChannel<CacheHeader> channel)
{
    private readonly long _startNanos = server.NowNanos;

    // Head and value of the answer that is being made; the channel copies it.
    private byte[] _scratch = [];

    /// <summary>The root did it. The value is copied: the store may change its memory while an answer is on its
    /// way.</summary>
    public void Reply(in Asked asked, in CacheReply reply, ItemValue value)
    {
        CacheHeader header = Answering(asked.Header, PacketKind.Answer, (byte)reply.Status);
        header.Flags = reply.Flags;
        byte[] bytes = Rent(AnswerHead.Size + value.Length);
        asked.Answer(channel, header, bytes.AsSpan(0, Write(bytes, reply, value)));
        Return(bytes);
    }

    /// <summary>The root did it, for a server that may keep a copy and passes the answer on.</summary>
    public void Copy(in Asked asked, CopyHead copy, ReadOnlySpan<byte> clientKey, in CacheReply reply, ItemValue value)
    {
        CacheHeader header = Answering(asked.Header, PacketKind.Copy, (byte)reply.Status);
        (header.Flags, header.KeyLength) = (reply.Flags, (byte)clientKey.Length);
        int before = CopyHead.Size + clientKey.Length;
        byte[] bytes = Rent(before + AnswerHead.Size + value.Length);

        // The key lies in the request, and the answer may be written over that.
        MemoryMarshal.Write(bytes, copy);
        clientKey.CopyTo(bytes.AsSpan(CopyHead.Size));
        asked.Answer(channel, header, bytes.AsSpan(0, before + Write(bytes.AsSpan(before), reply, value)));
        Return(bytes);
    }

    /// <summary>The root may not do it now.</summary>
    public void Refuse(in Asked asked, Readiness readiness, long waitNanos) =>
        Refuse(asked, ReasonOf(readiness), waitNanos);

    /// <summary>The root did not do it, and will not.</summary>
    public void Refuse(in Asked asked, RefusalReason reason, long waitNanos)
    {
        CacheHeader header = Answering(asked.Header, PacketKind.Refusal, (byte)reason);
        RefusalHead head = HeadOf(waitNanos);
        asked.Answer(channel, header, MemoryMarshal.AsBytes(new ReadOnlySpan<RefusalHead>(in head)));
    }

    /// <summary>The root may not do now what a server asks that would pass the answer on: the asker hears so
    /// itself.</summary>
    public void Refuse(in Asked asked, Coordinate asker, Readiness readiness, long waitNanos)
    {
        CacheHeader header = Answering(asked.Header, PacketKind.Refusal, (byte)ReasonOf(readiness));
        RefusalHead head = HeadOf(waitNanos);
        channel.Send(header, MemoryMarshal.AsBytes(new ReadOnlySpan<RefusalHead>(in head)), default, asker);
    }

    private static RefusalReason ReasonOf(Readiness readiness) =>
        readiness == Readiness.NotRoot ? RefusalReason.NotRoot : RefusalReason.NotYet;

    private static CacheHeader Answering(in CacheHeader asked, PacketKind kind, byte code) =>
        new()
        {
            Kind = (byte)kind,
            Code = code,
            MemId = asked.MemId,
            Question = asked.Question,
            Attempt = asked.Attempt,
        };

    private RefusalHead HeadOf(long waitNanos) =>
        new()
        {
            Run = channel.Run,
            NowNanos = server.NowNanos,
            UptimeNanos = server.NowNanos - _startNanos,
            WaitNanos = waitNanos,
        };

    private int Write(Span<byte> bytes, in CacheReply reply, ItemValue value)
    {
        var head = new AnswerHead
        {
            Run = channel.Run,
            NowNanos = server.NowNanos,
            Cas = reply.Cas,
            Number = reply.Number,
            Facts = reply.Facts,
        };
        MemoryMarshal.Write(bytes, head);
        if (value.IsThere)
        {
            value.CopyTo(bytes[AnswerHead.Size..]);
        }

        return AnswerHead.Size + value.Length;
    }

    // Answers of one packet share one array; a longer one borrows.
    private byte[] Rent(int length)
    {
        if (length > channel.PieceLength)
        {
            return ArrayPool<byte>.Shared.Rent(length);
        }

        if (_scratch.Length == 0)
        {
            _scratch = GC.AllocateUninitializedArray<byte>(Math.Max(channel.PieceLength, AnswerHead.Size));
        }

        return _scratch;
    }

    private void Return(byte[] bytes)
    {
        if (bytes != _scratch)
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }
}
