using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;

namespace CamCube.Services.Cache.Wire;

/// <summary>
/// Header of the cache's packets: 60 bytes, little-endian (docs/cache.md, "Packets"). Everything the cache says is a
/// message; what follows in its content depends on the kind.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct CacheHeader : ICallHeader<CacheHeader>
{
    /// <summary>Part of the message library.</summary>
    public MessageHeader Message;

    /// <summary>SHA-1 of the client's key, of requests and their answers (HPDC §5.1). In the header, so that servers on
    /// the path may look at it.</summary>
    public Key MemId;

    /// <summary>Question of the asking server, to be repeated in the answer.</summary>
    public ulong Question;

    /// <summary>The item's flags, of what stores and of what was read; options of a read.</summary>
    public uint Flags;

    /// <summary>What it is: see docs/cache.md.</summary>
    public byte Kind;

    /// <summary>Requests: <see cref="CacheOperation"/>. Answers: <see cref="CacheStatus"/>. Refusals: why.</summary>
    public byte Code;

    /// <summary>Bytes of the client's key in the content.</summary>
    public byte KeyLength;

    /// <summary>Number of the attempt, modulo 256, to be repeated in the answer.</summary>
    public byte Attempt;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref CacheHeader header) => ref header.Message;

    /// <inheritdoc/>
    public static CallTag TagOf(in CacheHeader header) => new(header.MemId, header.Question, header.Attempt);

    /// <inheritdoc/>
    public static CallPart PartOf(in CacheHeader header) =>
        (PacketKind)header.Kind switch
        {
            PacketKind.Answer => CallPart.Done,
            PacketKind.Refusal => CallPart.Refused,
            _ => CallPart.None,
        };

    /// <inheritdoc/>
    public static RefusalReason ReasonOf(in CacheHeader header) => (RefusalReason)header.Code;

    /// <inheritdoc/>
    public static CacheHeader RefusalOf(in CacheHeader asked, RefusalReason reason) =>
        Answering(asked, PacketKind.Refusal, (byte)reason);

    /// <summary>The header of what answers a request.</summary>
    internal static CacheHeader Answering(in CacheHeader asked, PacketKind kind, byte code) =>
        new()
        {
            Kind = (byte)kind,
            Code = code,
            MemId = asked.MemId,
            Question = asked.Question,
            Attempt = asked.Attempt,
        };
}
