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

    /// <summary>The root did it. The value is copied: the store may change its memory while an answer is on its way.</summary>
    public void Reply(in IncomingMessage<CacheHeader> message, in CacheReply reply, ItemValue value)
    {
        CacheHeader header = Answering(message, PacketKind.Answer, (byte)reply.Status);
        header.Flags = reply.Flags;
        var head = new AnswerHead
        {
            Run = channel.Run,
            NowNanos = server.NowNanos,
            Cas = reply.Cas,
            Number = reply.Number,
            Facts = reply.Facts,
        };
        int length = AnswerHead.Size + value.Length;
        byte[] bytes = Rent(length);
        MemoryMarshal.Write(bytes, head);
        if (value.IsThere)
        {
            value.CopyTo(bytes.AsSpan(AnswerHead.Size));
        }

        channel.Answer(message, header, bytes.AsSpan(0, length), default);
        Return(bytes);
    }

    /// <summary>The root may not do it now.</summary>
    public void Refuse(in IncomingMessage<CacheHeader> message, Readiness readiness, long waitNanos) =>
        Refuse(message, readiness == Readiness.NotRoot ? RefusalReason.NotRoot : RefusalReason.NotYet, waitNanos);

    /// <summary>The root did not do it, and will not.</summary>
    public void Refuse(in IncomingMessage<CacheHeader> message, RefusalReason reason, long waitNanos)
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
