using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Calls;

/// <summary>Says that a server did not do what it was asked, and will not. Loop only.</summary>
/// <typeparam name="THeader">The service's header.</typeparam>
/// <param name="server">The service's server.</param>
/// <param name="channel">Its channel.</param>
public sealed class Refuser<THeader>(IServer server, MessageChannel<THeader> channel)
    where THeader : unmanaged, ICallHeader<THeader>
{
    private readonly long _startNanos = server.NowNanos;

    /// <summary>To whoever asked: the server may not do it now.</summary>
    public void Refuse(in Asked<THeader> asked, Readiness readiness, long waitNanos) =>
        Refuse(asked, ReasonOf(readiness), waitNanos);

    /// <summary>To whoever asked.</summary>
    public void Refuse(in Asked<THeader> asked, RefusalReason reason, long waitNanos)
    {
        RefusalHead head = HeadOf(waitNanos);
        asked.Answer(channel, THeader.RefusalOf(asked.Header, reason), BytesOf(head));
    }

    /// <summary>The server may not do now what another asks that would pass the answer on: the asker hears so
    /// itself.</summary>
    public void Refuse(in Asked<THeader> asked, Coordinate asker, Readiness readiness, long waitNanos)
    {
        RefusalHead head = HeadOf(waitNanos);
        channel.Send(THeader.RefusalOf(asked.Header, ReasonOf(readiness)), BytesOf(head), default, asker);
    }

    private static RefusalReason ReasonOf(Readiness readiness) =>
        readiness == Readiness.NotRoot ? RefusalReason.NotRoot : RefusalReason.NotYet;

    private static ReadOnlySpan<byte> BytesOf(in RefusalHead head) =>
        MemoryMarshal.AsBytes(new ReadOnlySpan<RefusalHead>(in head));

    private RefusalHead HeadOf(long waitNanos) =>
        new()
        {
            Root = RootStamp.Of(server, channel.Run),
            UptimeNanos = server.NowNanos - _startNanos,
            WaitNanos = waitNanos,
        };
}
