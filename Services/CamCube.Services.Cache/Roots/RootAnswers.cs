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
        byte[] bytes = Rent(AnswerHead.Size + value.Length);
        if (value.IsThere)
        {
            value.CopyTo(bytes.AsSpan(AnswerHead.Size));
        }

        Reply(asked, reply, bytes, value.Length);
    }

    /// <summary>The same with a value that does not lie in the request.</summary>
    public void ReplyBytes(in Asked<CacheHeader> asked, in CacheReply reply, ReadOnlySpan<byte> value)
    {
        byte[] bytes = Rent(AnswerHead.Size + value.Length);
        value.CopyTo(bytes.AsSpan(AnswerHead.Size));
        Reply(asked, reply, bytes, value.Length);
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
        int before = CopyHead.Size + clientKey.Length + AnswerHead.Size;
        byte[] bytes = Rent(before + value.Length);
        if (value.IsThere)
        {
            value.CopyTo(bytes.AsSpan(before));
        }

        Copy(asked, copy, clientKey, reply, bytes, value.Length);
    }

    /// <summary>The same with a value that does not lie in the request.</summary>
    public void CopyBytes(
        in Asked<CacheHeader> asked,
        CopyHead copy,
        ReadOnlySpan<byte> clientKey,
        in CacheReply reply,
        ReadOnlySpan<byte> value
    )
    {
        int before = CopyHead.Size + clientKey.Length + AnswerHead.Size;
        byte[] bytes = Rent(before + value.Length);
        value.CopyTo(bytes.AsSpan(before));
        Copy(asked, copy, clientKey, reply, bytes, value.Length);
    }

    private void Reply(in Asked<CacheHeader> asked, in CacheReply reply, byte[] bytes, int length)
    {
        CacheHeader header = CacheHeader.Answering(asked.Header, PacketKind.Answer, (byte)reply.Status);
        header.Flags = reply.Flags;
        WriteHead(bytes, reply);
        asked.Answer(channel, header, bytes.AsSpan(0, AnswerHead.Size + length));
        Return(bytes);
    }

    private void Copy(
        in Asked<CacheHeader> asked,
        CopyHead copy,
        ReadOnlySpan<byte> clientKey,
        in CacheReply reply,
        byte[] bytes,
        int length
    )
    {
        CacheHeader header = CacheHeader.Answering(asked.Header, PacketKind.Copy, (byte)reply.Status);
        (header.Flags, header.KeyLength) = (reply.Flags, (byte)clientKey.Length);

        // The key lies in the request, and the answer may be written over that.
        MemoryMarshal.Write(bytes, copy);
        clientKey.CopyTo(bytes.AsSpan(CopyHead.Size));
        int before = CopyHead.Size + clientKey.Length;
        WriteHead(bytes.AsSpan(before), reply);
        asked.Answer(channel, header, bytes.AsSpan(0, before + AnswerHead.Size + length));
        Return(bytes);
    }

    private void WriteHead(Span<byte> bytes, in CacheReply reply)
    {
        var head = new AnswerHead
        {
            Root = RootStamp.Of(server, channel.Run),
            Cas = reply.Cas,
            Number = reply.Number,
            Facts = reply.Facts,
        };
        MemoryMarshal.Write(bytes, head);
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
