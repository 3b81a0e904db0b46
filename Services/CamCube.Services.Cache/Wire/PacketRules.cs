using System.Runtime.InteropServices;
using CamCube.Calls;

namespace CamCube.Services.Cache.Wire;

/// <summary>
/// What a packet must be before any part of the cache looks at it (docs/cache.md, "Packets"): cables are not
/// authenticated. Whoever gets a packet may rely on it: the content has the fixed part of its kind, and behind it the
/// client's key where there is one.
/// </summary>
internal static class PacketRules
{
    /// <summary>Whether a client's key may be so long.</summary>
    public static bool IsKey(int length) => length is > 0 and <= CacheOptions.MaxKeyLength;

    /// <summary>Whether a packet is as its kind must be.</summary>
    /// <param name="header">The header.</param>
    /// <param name="content">What follows it.</param>
    /// <param name="shape">Of the cube: a server that is named must be one of its.</param>
    public static bool IsWellFormed(in CacheHeader header, ReadOnlySpan<byte> content, TorusShape shape)
    {
        int length = content.Length,
            key = header.KeyLength;
        return (PacketKind)header.Kind switch
        {
            PacketKind.Read => IsKey(key)
                && length == key
                && header.Code is (byte)CacheOperation.Get or (byte)CacheOperation.Inspect,
            PacketKind.Lookup => IsKey(key) && length == key && header.Code == (byte)CacheOperation.Get,
            PacketKind.Change => IsKey(key)
                && length >= ChangeHead.Size + key
                && header.Code <= RequestRules.EndCopies
                && header.Code != (byte)CacheOperation.Inspect,
            PacketKind.Fetch => IsKey(key)
                && length == FetchHead.Size + key
                && header.Code == (byte)CacheOperation.Get
                && shape.Contains(MemoryMarshal.Read<FetchHead>(content).Asker),
            PacketKind.Copy => IsKey(key)
                && length >= CopyHead.Size + key + AnswerHead.Size
                && IsCopy(header, content, shape),
            PacketKind.Answer => length >= AnswerHead.Size && header.Code <= (byte)CacheStatus.NotForStore,
            PacketKind.Refusal => length >= RefusalHead.Size,
            PacketKind.Flush or PacketKind.FlushNews => length >= FlushHead.Size,
            PacketKind.Flushed or PacketKind.Statistics or PacketKind.Counted or PacketKind.FlushQuery => true,
            PacketKind.CopyFlush or PacketKind.CopyFlushed => true,
            _ => false,
        };
    }

    // What is the same as what the holder has comes without a value: both together could be longer than any message.
    private static bool IsCopy(in CacheHeader header, ReadOnlySpan<byte> content, TorusShape shape)
    {
        FetchHead fetch = MemoryMarshal.Read<CopyHead>(content).Fetch;
        return header.Code <= (byte)CacheStatus.NotForStore
            && shape.Contains(fetch.Asker)
            && (fetch.IsSame == 0 || content.Length == CopyHead.Size + header.KeyLength + AnswerHead.Size);
    }
}
