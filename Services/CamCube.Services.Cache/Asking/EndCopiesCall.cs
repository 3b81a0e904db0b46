using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Asking;

/// <summary>The key-value store has another value of a key: has its root end all copies of the earlier one. It may be
/// done any number of times, anywhere. Loop only.</summary>
/// <param name="side">The server's asking side.</param>
/// <param name="clientKey">The client's key.</param>
internal readonly struct EndCopiesCall(AskingSide side, ReadOnlyMemory<byte> clientKey) : ICall<CacheReply>
{
    /// <inheritdoc/>
    public CallTerms Terms => new(IsRead: true, IsRepeatable: true, GoesAsChange: true, 0);

    /// <inheritdoc/>
    public Readiness TryHere(Key key, out CacheReply reply, out long pauseNanos)
    {
        reply = new CacheReply(CacheStatus.Done);
        return side.Root.Backed.TryEndCopies(key, clientKey.Span, out pauseNanos);
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
            Kind = (byte)PacketKind.Change,
            Code = RequestRules.EndCopies,
            KeyLength = (byte)clientKey.Length,
            Attempt = attempt.Tag.Attempt,
        };
        Span<byte> content = stackalloc byte[ChangeHead.Size + CacheOptions.MaxKeyLength];
        var change = new ChangeHead { Call = attempt.Head, Root = attempt.Root };
        MemoryMarshal.Write(content, change);
        clientKey.Span.CopyTo(content[ChangeHead.Size..]);
        return side.Channel.Send(header, content[..(ChangeHead.Size + clientKey.Length)], default, attempt.To);
    }

    /// <inheritdoc/>
    public CacheReply Finish(in CacheReply reply, int hops, ReadOnlySpan<byte> content) => reply;

    /// <inheritdoc/>
    public CacheReply GiveUp(CallFailure failure, bool mayBeDone) => new(CacheStatus.TimedOut);
}
