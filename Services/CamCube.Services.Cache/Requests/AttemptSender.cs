using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Requests;

/// <summary>Sends one attempt of an operation: a read to the closest server that may have it, a change to its root's
/// run. Loop only.</summary>
internal sealed class AttemptSender(
    IServer server,
    CacheOptions options,
    MessageChannel<CacheHeader> channel,
    HolderSide holder,
    LookupWays ways,
    KnownRoots known
)
{
    // A large value's attempt gets this much longer: a second per 4 MiB.
    private const long NanosPerKibibyte = 1_000_000_000 / 4_096;

    /// <summary>Longest that an operation goes on asking, for a value of this length.</summary>
    public static long MostNanos(CacheOptions options, int valueLength) =>
        options.Attempts * AttemptNanos(options, valueLength);

    /// <summary>Sends an attempt.</summary>
    /// <param name="memId">The key.</param>
    /// <param name="request">What is asked.</param>
    /// <param name="isTooLarge">The value is larger than the largest and does not travel.</param>
    /// <param name="question">Repeated in the answer.</param>
    /// <param name="attempt">Its number, from 1.</param>
    /// <param name="attempts">What is known of the earlier ones.</param>
    /// <param name="untilNanos">When to give it up.</param>
    public MessageTicket Send(
        Key memId,
        in CacheRequest request,
        bool isTooLarge,
        ulong question,
        byte attempt,
        ref Attempts attempts,
        out long untilNanos
    )
    {
        ReadOnlyMemory<byte> value = isTooLarge ? default : request.Value;
        long now = server.NowNanos,
            most = AttemptNanos(options, value.Length);
        untilNanos = now + most;
        var header = new CacheHeader
        {
            MemId = memId,
            Question = question,
            Flags = request.Terms.Flags,
            Code = (byte)request.Terms.Operation,
            KeyLength = (byte)request.Key.Length,
            Attempt = attempt,
        };
        if (!attempts.GoesAsChange)
        {
            header.Flags = (uint)request.Terms.Options;
            header.Kind = (byte)PacketKind.Read;
            attempts.Run = 0;

            // Only the first: what is asked again goes to the root itself.
            if (
                attempt == 1
                && ways.TryChoose(memId, request.Key.Span, request.Terms, out Key closest, out bool isHere)
            )
            {
                if (isHere)
                {
                    return holder.Fetch(header, request.Key.Span, server.Coordinate);
                }

                header.Kind = (byte)PacketKind.Lookup;
                return channel.Send(header, request.Key.Span, default, closest);
            }

            return channel.Send(header, request.Key.Span, default, memId);
        }

        header.Kind = (byte)PacketKind.Change;
        known.TryGet(attempts.Root, now, out attempts.Run, out long aheadNanos);
        Span<byte> head = stackalloc byte[ChangeHead.Size + CacheOptions.MaxKeyLength];
        var change = new ChangeHead
        {
            Request = attempts.Request,
            RootRun = attempts.Run,
            DeadlineNanos = untilNanos - (most / 16) + aheadNanos,
            Cas = request.Terms.Cas,
            Expiry = request.Terms.Expiry,
            Delta = request.Terms.Delta,
            Initial = request.Terms.Initial,
            VivifyExpiry = request.Terms.VivifyExpiry,
            RecacheSeconds = request.Terms.RecacheSeconds,
            Options = (ushort)request.Terms.Options,
            Root = attempts.Root,
            IsTooLarge = (ushort)(isTooLarge ? 1 : 0),
        };
        MemoryMarshal.Write(head, change);
        request.Key.Span.CopyTo(head[ChangeHead.Size..]);
        head = head[..(ChangeHead.Size + request.Key.Length)];

        // Without its run a root refuses in any case, and says what its run is: no need to carry the value there.
        Destination to = attempts.IsBound ? attempts.Root : memId;
        return channel.Send(header, head, attempts.Run == 0 ? default : value, to);
    }

    private static long AttemptNanos(CacheOptions options, int valueLength) =>
        (long)options.Timeout.TotalNanoseconds + (valueLength / 1_024 * NanosPerKibibyte);
}
