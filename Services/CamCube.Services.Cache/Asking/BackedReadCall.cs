using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Asking;

/// <summary>A plain read of a key that the key-value store keeps: it goes to the closest server that may have a copy,
/// or to the key's root. A miss is what the store says, and nothing else. Loop only.</summary>
/// <param name="side">The server's asking side.</param>
/// <param name="request">What is asked.</param>
internal readonly struct BackedReadCall(AskingSide side, CacheRequest request) : ICall<CacheReply>
{
    /// <summary>This server is the root: it asks the store itself.</summary>
    public const CacheStatus AskHere = (CacheStatus)byte.MaxValue;

    /// <inheritdoc/>
    public CallTerms Terms => new(IsRead: true, IsRepeatable: true, GoesAsChange: false, 0);

    /// <inheritdoc/>
    public Readiness TryHere(Key key, out CacheReply reply, out long pauseNanos)
    {
        (reply, pauseNanos) = (new CacheReply(AskHere), 0);
        return Readiness.Ready;
    }

    /// <inheritdoc/>
    public ValueTask WaitHereAsync(Key key, long mostNanos) => default;

    /// <inheritdoc/>
    public MessageTicket Send(in CallAttempt attempt)
    {
        var header = new CacheHeader
        {
            MemId = attempt.Tag.Key,
            Question = attempt.Tag.Question,
            Kind = (byte)PacketKind.Read,
            Code = (byte)CacheOperation.Get,
            KeyLength = (byte)request.Key.Length,
            Attempt = attempt.Tag.Attempt,
            Flags = RequestRules.Backed,
        };
        Destination to = attempt.To;
        var terms = new CacheTerms { Operation = CacheOperation.Get };
        if (
            header.Attempt == 1
            && side.Ways.TryChoose(header.MemId, request.Key.Span, terms, out Key closest, out bool isHere)
        )
        {
            if (isHere)
            {
                return side.Holder.Fetch(header, request.Key.Span, side.Server.Coordinate);
            }

            header.Kind = (byte)PacketKind.Lookup;
            to = closest;
        }

        return side.Channel.Send(header, request.Key.Span, default, to);
    }

    /// <inheritdoc/>
    public CacheReply Finish(in CacheReply reply, int hops, ReadOnlySpan<byte> content)
    {
        side.Counters.AddLookup(hops);
        bool isWritten =
            reply.Status != CacheStatus.Done || ValueWriter.TryWrite(request.Into, content[AnswerHead.Size..]);
        return isWritten ? reply : new CacheReply(CacheStatus.Unavailable);
    }

    /// <inheritdoc/>
    public CacheReply GiveUp(CallFailure failure, bool mayBeDone) =>
        new(
            failure is CallFailure.TooMany or CallFailure.Alone ? CacheStatus.Unavailable : CacheStatus.StoreUnavailable
        );
}
