using System.Buffers;
using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Roots;

/// <summary>Sends what a root has to say. Loop only.</summary>
internal sealed class RootAnswers(IServer server, MessageChannel<CacheHeader> channel)
{
    // Head and value of the answer that is being made; the channel copies it.
    private byte[] _scratch = [];

    /// <summary>The root did it. The value is copied: the store may change its memory while an answer is on its
    /// way.</summary>
    public void Reply(in Asked<CacheHeader> asked, in CacheReply reply, ItemValue value)
    {
        CacheHeader header = CacheHeader.Answering(asked.Header, PacketKind.Answer, (byte)reply.Status);
        header.Flags = reply.Flags;
        byte[] bytes = Rent(AnswerHead.Size + value.Length);
        asked.Answer(channel, header, bytes.AsSpan(0, Write(bytes, reply, value)));
        Return(bytes);
    }

    /// <summary>The root did it, for a server that may keep a copy and passes the answer on.</summary>
    public void Copy(
        in Asked<CacheHeader> asked,
        CopyHead copy,
        ReadOnlySpan<byte> clientKey,
        in CacheReply reply,
        ItemValue value
    )
    {
        CacheHeader header = CacheHeader.Answering(asked.Header, PacketKind.Copy, (byte)reply.Status);
        (header.Flags, header.KeyLength) = (reply.Flags, (byte)clientKey.Length);
        int before = CopyHead.Size + clientKey.Length;
        byte[] bytes = Rent(before + AnswerHead.Size + value.Length);

        // The key lies in the request, and the answer may be written over that.
        MemoryMarshal.Write(bytes, copy);
        clientKey.CopyTo(bytes.AsSpan(CopyHead.Size));
        asked.Answer(channel, header, bytes.AsSpan(0, before + Write(bytes.AsSpan(before), reply, value)));
        Return(bytes);
    }

    private int Write(Span<byte> bytes, in CacheReply reply, ItemValue value)
    {
        var head = new AnswerHead
        {
            Root = RootStamp.Of(server, channel.Run),
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
