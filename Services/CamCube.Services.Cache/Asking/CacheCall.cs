using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Asking;

/// <summary>One operation of a client: a read goes to the closest server that may have it, a change to its root's
/// run. Loop only.</summary>
/// <param name="side">The server's asking side.</param>
/// <param name="request">What is asked.</param>
/// <param name="isTooLarge">The value is larger than the largest and does not travel.</param>
internal readonly struct CacheCall(AskingSide side, CacheRequest request, bool isTooLarge) : ICall<CacheReply>
{
    /// <inheritdoc/>
    public CallTerms Terms =>
        new(
            RequestRules.IsRead(request.Terms.Operation),
            RequestRules.IsRepeatable(request.Terms, isTooLarge),
            RequestRules.GoesAsChange(request.Terms),
            isTooLarge ? 0 : request.Value.Length
        );

    /// <inheritdoc/>
    public Readiness TryHere(Key key, out CacheReply reply, out long pauseNanos)
    {
        Readiness readiness = side.Root.TryRun(key, request, isTooLarge, out reply, out pauseNanos);
        if (readiness == Readiness.Ready)
        {
            NoteLookup(0);
        }

        return readiness;
    }

    /// <inheritdoc/>
    public ValueTask WaitHereAsync(Key key, long mostNanos) => side.Gate.WaitAsync(key, mostNanos);

    /// <inheritdoc/>
    public MessageTicket Send(in CallAttempt attempt)
    {
        var header = new CacheHeader
        {
            MemId = attempt.Tag.Key,
            Question = attempt.Tag.Question,
            Flags = request.Terms.Flags,
            Code = (byte)request.Terms.Operation,
            KeyLength = (byte)request.Key.Length,
            Attempt = attempt.Tag.Attempt,
        };
        if (attempt.IsChange)
        {
            header.Kind = (byte)PacketKind.Change;
            return SendChange(header, attempt);
        }

        header.Kind = (byte)PacketKind.Read;
        header.Flags = (uint)request.Terms.Options;
        Destination to = attempt.To;

        // Only the first: what is asked again goes to the root itself.
        if (
            header.Attempt == 1
            && side.Ways.TryChoose(header.MemId, request.Key.Span, request.Terms, out Key closest, out bool isHere)
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
        NoteLookup(hops);
        bool isWritten =
            reply.Status != CacheStatus.Done || ValueWriter.TryWrite(request.Into, content[AnswerHead.Size..]);
        return isWritten ? reply : new CacheReply(CacheStatus.Unavailable);
    }

    /// <inheritdoc/>
    public CacheReply GiveUp(CallFailure failure, bool mayBeDone)
    {
        CacheStatus status = failure switch
        {
            CallFailure.TooMany => CacheStatus.Unavailable,

            // Cut off, it cannot be known what the value is: a cache may always miss.
            CallFailure.Alone when Terms.IsRead => CacheStatus.NotFound,
            CallFailure.Alone when !mayBeDone => CacheStatus.Unavailable,
            _ => CacheStatus.TimedOut,
        };
        return new CacheReply(status);
    }

    private MessageTicket SendChange(in CacheHeader header, in CallAttempt attempt)
    {
        Span<byte> head = stackalloc byte[ChangeHead.Size + CacheOptions.MaxKeyLength];
        var change = new ChangeHead
        {
            Call = attempt.Head,
            Cas = request.Terms.Cas,
            Expiry = request.Terms.Expiry,
            Delta = request.Terms.Delta,
            Initial = request.Terms.Initial,
            VivifyExpiry = request.Terms.VivifyExpiry,
            RecacheSeconds = request.Terms.RecacheSeconds,
            Options = (ushort)request.Terms.Options,
            Root = attempt.Root,
            IsTooLarge = (ushort)(isTooLarge ? 1 : 0),
        };
        MemoryMarshal.Write(head, change);
        request.Key.Span.CopyTo(head[ChangeHead.Size..]);
        head = head[..(ChangeHead.Size + request.Key.Length)];
        bool carriesValue = attempt.Head.RootRun != 0 && !isTooLarge;
        return side.Channel.Send(header, head, carriesValue ? request.Value : default, attempt.To);
    }

    private void NoteLookup(int hops)
    {
        if (request.Terms.Operation == CacheOperation.Get)
        {
            side.Counters.AddLookup(hops);
        }
    }
}
