using System.Buffers;
using CamCube.Client.Cache.Entries;

namespace CamCube.Client.Cache.Protocol;

/// <summary>
/// Reads one answer from what was received. An answer is taken when all of it is there, so a value is copied in one go,
/// straight from the received bytes to where the caller wants it.
/// </summary>
/// <param name="maxValueLength">A longer value is a breach of the protocol.</param>
/// <param name="time">Tells whether an absolute end has come.</param>
internal sealed class AnswerReader(int maxValueLength, TimeProvider time)
{
    private const int MaxLineLength = 2048;

    /// <summary>Takes one answer off the received bytes and completes the request it belongs to.</summary>
    /// <param name="received">What was received; after <see cref="ReadOutcome.Taken"/> what comes after the
    /// answer.</param>
    /// <param name="request">The oldest request without an answer.</param>
    /// <param name="breach">What the server did wrong, after <see cref="ReadOutcome.Breach"/>; the request is not
    /// completed then.</param>
    public ReadOutcome Read(ref ReadOnlySequence<byte> received, PendingRequest request, out string? breach)
    {
        breach = null;
        if (received.PositionOf((byte)'\n') is not { } end)
        {
            breach = received.Length > MaxLineLength ? "a line without an end" : null;
            return breach is null ? ReadOutcome.Partial : ReadOutcome.Breach;
        }

        ReadOnlySequence<byte> text = received.Slice(0, end);
        if (text.Length > MaxLineLength)
        {
            breach = "a line without an end";
            return ReadOutcome.Breach;
        }

        Span<byte> copy = stackalloc byte[text.IsSingleSegment ? 0 : (int)text.Length];
        if (!text.IsSingleSegment)
        {
            text.CopyTo(copy);
        }

        ReadOnlySpan<byte> line = text.IsSingleSegment ? text.FirstSpan : copy;
        line = line.EndsWith("\r"u8) ? line[..^1] : line;
        ReadOnlySequence<byte> rest = received.Slice(received.GetPosition(1, end));

        if (
            !AnswerLine.TryParse(line, out AnswerLine answer)
            || (answer.Opaque is { } opaque && opaque != request.Opaque)
        )
        {
            breach = AnswerLine.ToText(line);
            return ReadOutcome.Breach;
        }

        ReadOutcome outcome = answer.Code.SequenceEqual("VA"u8)
            ? TakeValue(answer, ref rest, request)
            : TakeLine(answer, line, request);
        if (outcome == ReadOutcome.Taken)
        {
            received = rest;
        }
        else if (outcome == ReadOutcome.Breach)
        {
            breach = AnswerLine.ToText(line);
        }

        return outcome;
    }

    private static ReadOutcome TakeLine(in AnswerLine answer, ReadOnlySpan<byte> line, PendingRequest request)
    {
        if (answer.Code.SequenceEqual("SERVER_ERROR"u8))
        {
            bool isTooLarge = request.Kind == CommandKind.Store && line.IndexOf("too large"u8) >= 0;
            request.Complete(
                new Answer(isTooLarge ? AnswerKind.TooLarge : AnswerKind.Refused) { Error = AnswerLine.ToText(line) }
            );
            return ReadOutcome.Taken;
        }

        bool isRead = request.Kind is CommandKind.Read or CommandKind.Look or CommandKind.Touch;
        if (answer.Code.SequenceEqual("HD"u8) && request.Kind != CommandKind.Read && answer.Opaque is not null)
        {
            request.Complete(
                new Answer(AnswerKind.Done)
                {
                    Flags = answer.ClientFlags,
                    SecondsLeft = answer.SecondsLeft,
                    Cas = answer.Cas,
                }
            );
            return ReadOutcome.Taken;
        }

        // Some versions repeat the opaque number in these answers, others do not.
        if (answer.Code.SequenceEqual(isRead ? "EN"u8 : "NF"u8) && request.Kind != CommandKind.Store)
        {
            request.Complete(new Answer(AnswerKind.Absent));
            return ReadOutcome.Taken;
        }

        return ReadOutcome.Breach;
    }

    private ReadOutcome TakeValue(in AnswerLine answer, ref ReadOnlySequence<byte> rest, PendingRequest request)
    {
        if (
            request.Kind != CommandKind.Read
            || answer.Opaque is null
            || answer.DataLength < 0
            || answer.DataLength > (long)maxValueLength + EntryExpiry.MaxHeaderLength
        )
        {
            return ReadOutcome.Breach;
        }

        if (rest.Length < answer.DataLength + 2)
        {
            return ReadOutcome.Partial;
        }

        ReadOnlySequence<byte> data = rest.Slice(0, answer.DataLength);
        var after = new SequenceReader<byte>(rest.Slice(answer.DataLength));
        if (!after.IsNext("\r\n"u8, advancePast: true))
        {
            return ReadOutcome.Breach;
        }

        rest = after.UnreadSequence;

        if (
            !EntryExpiry.TryFromFlags(answer.ClientFlags, out _, out _)
            || !EntryExpiry.TryTakeHeader(ref data, out EntryExpiry expiry)
            || expiry.HasEnded(time.GetUtcNow())
        )
        {
            request.Complete(new Answer(AnswerKind.Absent));
            return ReadOutcome.Taken;
        }

        request.CompleteWithValue(
            new Answer(AnswerKind.Done)
            {
                Flags = answer.ClientFlags,
                SecondsLeft = answer.SecondsLeft,
                Cas = answer.Cas,
                Expiry = expiry,
            },
            data
        );
        return ReadOutcome.Taken;
    }
}
