using CamCube.FrontEnds.Buffers;
using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Meta;

/// <summary>
/// Writes the answers of meta commands, as memcached 1.6.18: two letters, then what was asked for in the order of the
/// asking. Connection's loop only.
/// </summary>
internal static class MetaAnswers
{
    /// <summary>Writes the answer up to the value; true if the value follows.</summary>
    /// <param name="slot">The command.</param>
    /// <param name="reply">How it ended: not with an error that is a line of its own.</param>
    /// <param name="valueLength">Bytes of the value that was read.</param>
    /// <param name="output">Where it goes.</param>
    public static bool WriteHead(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output)
    {
        bool isDone = reply.Status == CacheStatus.Done;
        if (IsLeftOut(slot, reply))
        {
            return false;
        }

        switch (slot.Answer)
        {
            case SlotAnswer.MetaGet when isDone:
                return WriteGet(slot, reply, valueLength, output);
            case SlotAnswer.MetaNumber when isDone:
                WriteNumber(slot, reply, output);
                return false;
            case SlotAnswer.MetaFacts when isDone:
                WriteFacts(slot, reply, output);
                return false;
            case SlotAnswer.MetaGet or SlotAnswer.MetaFacts:
                output.Write("EN"u8);
                break;
            default:
                output.Write(CodeOf(reply.Status));
                break;
        }

        if (slot.Answer != SlotAnswer.MetaFacts)
        {
            WriteReturns(slot, reply, output);
        }

        output.Write("\r\n"u8);
        return false;
    }

    /// <summary>Whether a status is answered with two letters, and not with a line of words.</summary>
    public static bool HasCode(CommandSlot slot, CacheStatus status) =>
        status switch
        {
            CacheStatus.Done or CacheStatus.NotFound or CacheStatus.Exists or CacheStatus.NotStored => true,

            // What memcached says when the appended value fits and the whole does not.
            CacheStatus.TooLarge => slot.Terms.Operation is CacheOperation.Append or CacheOperation.Prepend,
            _ => false,
        };

    /// <summary>Quiet commands leave out what the client expects: a miss of mg, success of the others.</summary>
    private static bool IsLeftOut(CommandSlot slot, in CacheReply reply) =>
        slot.NoReply
        && slot.Answer switch
        {
            SlotAnswer.MetaGet => reply.Status != CacheStatus.Done,
            SlotAnswer.MetaNumber => reply.Status == CacheStatus.Done
                && (reply.Facts.Marks & CacheItemMarks.IsNew) == 0,
            _ => reply.Status == CacheStatus.Done,
        };

    private static ReadOnlySpan<byte> CodeOf(CacheStatus status) =>
        status switch
        {
            CacheStatus.Done => "HD"u8,
            CacheStatus.NotFound => "NF"u8,
            CacheStatus.Exists => "EX"u8,
            _ => "NS"u8,
        };

    private static bool WriteGet(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output)
    {
        bool hasValue = slot.ReadsValue;
        if (hasValue)
        {
            output.Write("VA "u8);
            output.WriteNumber((ulong)valueLength);
        }
        else
        {
            output.Write("HD"u8);
        }

        WriteReturns(slot, reply, output);
        CacheItemMarks marks = reply.Facts.Marks;
        if ((marks & CacheItemMarks.IsWinOut) != 0)
        {
            output.Write(" Z"u8);
        }

        if ((marks & CacheItemMarks.IsStale) != 0)
        {
            output.Write(" X"u8);
        }

        if ((marks & CacheItemMarks.HasWon) != 0)
        {
            output.Write(" W"u8);
        }

        output.Write("\r\n"u8);
        return hasValue;
    }

    private static void WriteNumber(CommandSlot slot, in CacheReply reply, ReplyBuffer output)
    {
        if (!slot.WantsNumber)
        {
            output.Write("HD"u8);
            WriteReturns(slot, reply, output);
            output.Write("\r\n"u8);
            return;
        }

        output.Write("VA "u8);
        output.WriteNumber((ulong)TextNumbers.DigitsOf(reply.Number));
        WriteReturns(slot, reply, output);
        output.Write("\r\n"u8);
        output.WriteNumber(reply.Number);
        output.Write("\r\n"u8);
    }

    private static void WriteReturns(CommandSlot slot, in CacheReply reply, ReplyBuffer output)
    {
        for (int i = 0; i < slot.Returns.Count; i++)
        {
            byte flag = slot.Returns[i];
            if (!IsReturned(slot.Answer, flag, reply.Status == CacheStatus.Done))
            {
                continue;
            }

            output.Write(" "u8);
            if (flag == 'O')
            {
                output.Write(slot.Opaque);
                continue;
            }

            output.Write([flag]);
            WriteReturn(slot, reply, flag, output);
        }
    }

    private static bool IsReturned(SlotAnswer answer, byte flag, bool isDone) =>
        (char)flag switch
        {
            'O' or 'k' => true,
            'c' => answer == SlotAnswer.MetaStored || (isDone && answer != SlotAnswer.MetaDeleted),
            't' => isDone && answer is SlotAnswer.MetaGet or SlotAnswer.MetaNumber,
            _ => isDone && answer == SlotAnswer.MetaGet,
        };

    private static void WriteReturn(CommandSlot slot, in CacheReply reply, byte flag, ReplyBuffer output)
    {
        switch ((char)flag)
        {
            case 's':
                output.WriteNumber((ulong)reply.Facts.Length);
                break;
            case 't' when reply.Facts.SecondsLeft < 0:
                output.Write("-1"u8);
                break;
            case 't':
                output.WriteNumber((ulong)reply.Facts.SecondsLeft);
                break;
            case 'c':
                output.WriteNumber(reply.Status == CacheStatus.Done ? reply.Cas : 0);
                break;
            case 'f':
                output.WriteNumber(reply.Flags);
                break;
            case 'l':
                output.WriteNumber(reply.Facts.IdleSeconds);
                break;
            case 'h':
                output.Write((reply.Facts.Marks & CacheItemMarks.WasRead) != 0 ? "1"u8 : "0"u8);
                break;
            default:
                WriteKey(slot, reply, output);
                break;
        }
    }

    /// <summary>mg shows a key as the item has it, the others and a miss as the client gave it.</summary>
    private static void WriteKey(CommandSlot slot, in CacheReply reply, ReplyBuffer output)
    {
        bool ofItem = slot.Answer == SlotAnswer.MetaGet && reply.Status == CacheStatus.Done;
        if (!(ofItem ? HasBinaryKey(reply) : slot.Returns.HasBinaryKey))
        {
            output.Write(slot.Key);
            return;
        }

        Base64Key.Write(slot.Key, output);
        output.Write(" b"u8);
    }

    private static bool HasBinaryKey(in CacheReply reply) => (reply.Facts.Marks & CacheItemMarks.HasBinaryKey) != 0;

    /// <summary>The line of me: memcached's, in which seconds that are left are negative.</summary>
    private static void WriteFacts(CommandSlot slot, in CacheReply reply, ReplyBuffer output)
    {
        output.Write("ME "u8);
        if (HasBinaryKey(reply))
        {
            Base64Key.Write(slot.Key, output);
        }
        else
        {
            output.Write(slot.Key);
        }

        output.Write(reply.Facts.SecondsLeft == 0 ? " exp="u8 : " exp=-"u8);
        output.WriteNumber((ulong)Math.Abs(reply.Facts.SecondsLeft));
        output.Write(" la="u8);
        output.WriteNumber(reply.Facts.IdleSeconds);
        output.Write(" cas="u8);
        output.WriteNumber(reply.Cas);
        output.Write(" fetch="u8);
        output.Write((reply.Facts.Marks & CacheItemMarks.WasRead) != 0 ? "yes"u8 : "no"u8);
        output.Write(" cls="u8);
        output.WriteNumber(reply.Facts.SizeClass);
        output.Write(" size="u8);
        output.WriteNumber((ulong)reply.Facts.MemoryBytes);
        output.Write("\r\n"u8);
    }
}
