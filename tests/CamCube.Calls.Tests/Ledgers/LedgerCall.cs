using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Calls.Tests.Ledgers;

/// <summary>One call of the test service. A change adds; a read only looks.</summary>
public readonly struct LedgerCall(Ledger ledger, long name, long delta, bool isRead, bool isRepeatable, byte[] ballast)
    : ICall<LedgerReply>
{
    public CallTerms Terms => new(isRead, isRepeatable, !isRead || delta != 0, ballast.Length);

    public Readiness TryHere(Key key, out LedgerReply reply, out long pauseNanos) =>
        ledger.TryRun(key, name, delta, out reply, out pauseNanos);

    public ValueTask WaitHereAsync(Key key, long mostNanos) => ledger.WaitAsync();

    public MessageTicket Send(in CallAttempt attempt)
    {
        var header = new LedgerHeader
        {
            Key = attempt.Tag.Key,
            Question = attempt.Tag.Question,
            Attempt = attempt.Tag.Attempt,
            Kind = attempt.IsChange ? LedgerKind.Add : LedgerKind.Look,
        };
        if (!attempt.IsChange)
        {
            return ledger.Channel.Send(header, default, default, attempt.To);
        }

        var head = new LedgerHead
        {
            Call = attempt.Head,
            Root = attempt.Root,
            Name = name,
            Delta = delta,
        };
        ReadOnlySpan<byte> content = MemoryMarshal.AsBytes(new ReadOnlySpan<LedgerHead>(in head));
        return ledger.Channel.Send(header, content, attempt.Head.RootRun == 0 ? default : ballast, attempt.To);
    }

    public LedgerReply Finish(in LedgerReply reply, int hops, ReadOnlySpan<byte> content) => reply with { Hops = hops };

    public LedgerReply GiveUp(CallFailure failure, bool mayBeDone) =>
        new(mayBeDone ? LedgerStatus.Unknown : LedgerStatus.NotDone, (long)failure);
}
