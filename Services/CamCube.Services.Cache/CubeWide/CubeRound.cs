using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.CubeWide;

/// <summary>One question to many servers' caches. Loop only.</summary>
/// <param name="kind">What to ask; a flush carries the present <see cref="FlushMoment"/>. </param>
/// <param name="channel">The service's channel.</param>
/// <param name="flush">The last flush_all.</param>
internal sealed class CubeRound(PacketKind kind, MessageChannel<CacheHeader> channel, FlushMoment flush) : Round
{
    /// <summary>Where the counters of the answers are added, if any.</summary>
    public long[]? Sums { get; init; }

    /// <summary>Whether a server answered that can know.</summary>
    public bool HasKnowing { get; private set; }

    /// <summary>A server answered.</summary>
    public void Add(in IncomingMessage<CacheHeader> message)
    {
        HasKnowing |= message.Header.Code != 0;
        ReadOnlySpan<byte> content = message.Content;
        int n = Math.Min(Sums?.Length ?? 0, content.Length / sizeof(long));
        for (int i = 0; i < n; i++)
        {
            Sums![i] += MemoryMarshal.Read<long>(content[(i * sizeof(long))..]);
        }
    }

    /// <inheritdoc/>
    protected override void Send(ulong question, Coordinate to)
    {
        var header = new CacheHeader { Kind = (byte)kind, Question = question };
        var head = new FlushHead { Stamp = flush.Stamp, DelayNanos = flush.DelayNanos };
        ReadOnlySpan<byte> content = MemoryMarshal.AsBytes(new ReadOnlySpan<FlushHead>(in head));
        channel.Send(header, kind == PacketKind.Flush ? content : default, default, to);
    }
}
