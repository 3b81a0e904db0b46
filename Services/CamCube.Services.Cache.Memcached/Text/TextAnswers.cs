using System.Buffers.Text;
using CamCube.FrontEnds.Buffers;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Meta;
using CamCube.Services.Cache.Memcached.Statistics;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>Writes the answers of the text protocol, in the order of the commands. Connection's loop only.</summary>
internal sealed class TextAnswers(MemcachedContext context)
{
    // VALUE, a key, three numbers of 20 digits at most, spaces and the end of the line.
    private const int LongestHead = 6 + CommandSlot.MaxKeyLength + (3 * 21) + 2;
    private bool _isGetOver;

    /// <summary>Writes the answer up to the value; true if it follows.</summary>
    public bool WriteHead(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output)
    {
        context.Details.Observe(slot, reply);
        if (slot.Answer >= SlotAnswer.MetaGet)
        {
            return WriteMeta(slot, reply, valueLength, output);
        }

        if (slot.NoReply)
        {
            return false;
        }

        bool isDone = reply.Status == CacheStatus.Done && !slot.HasFailed;
        switch (slot.Answer)
        {
            case SlotAnswer.Value:
                return WriteValueHead(slot, reply, valueLength, output);
            case SlotAnswer.Text when isDone:
                return true;
            case SlotAnswer.Details:
                StatisticsText.WriteDetails(context, slot, output);
                return false;
            case SlotAnswer.Number when isDone:
                output.WriteNumber(reply.Number);
                output.Write("\r\n"u8);
                return false;
            default:
                WriteLine(slot, reply, output);
                return false;
        }
    }

    /// <summary>Writes what follows the value; false if the connection is to end.</summary>
    public bool WriteTail(CommandSlot slot, bool hadValue, ReplyBuffer output)
    {
        if (slot.Answer is not (SlotAnswer.Value or SlotAnswer.MetaGet))
        {
            return slot.Answer != SlotAnswer.LastLine;
        }

        if (hadValue)
        {
            output.Write("\r\n"u8);
        }

        if (slot.EndsGet)
        {
            if (!_isGetOver)
            {
                output.Write("END\r\n"u8);
            }

            _isGetOver = false;
        }

        return true;
    }

    private static void WriteLine(CommandSlot slot, in CacheReply reply, ReplyBuffer output) =>
        output.Write(TextReplies.Of(TextReplies.Of(slot, reply.Status)));

    private bool WriteMeta(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output)
    {
        if (!slot.HasFailed && MetaAnswers.HasCode(slot, reply.Status))
        {
            return MetaAnswers.WriteHead(slot, reply, valueLength, output);
        }

        if (!IsMissedRead(slot, reply))
        {
            WriteLine(slot, reply, output);
            return false;
        }

        return MetaAnswers.WriteHead(slot, new CacheReply(CacheStatus.NotFound), 0, output);
    }

    /// <summary>
    /// A key whose root did not answer in time is a miss: that is never wrong for a cache, costs the client one key
    /// instead of all, and is counted.
    /// </summary>
    private bool IsMissedRead(CommandSlot slot, in CacheReply reply)
    {
        bool isMissed =
            !slot.HasFailed
            && reply.Status == CacheStatus.TimedOut
            && slot.Answer is SlotAnswer.Value or SlotAnswer.MetaGet;
        if (isMissed)
        {
            context.Counters.CountGetTimeout();
        }

        return isMissed;
    }

    /// <summary>
    /// A server that is cut off says so in place of END, as memcached does when a get breaks off: a client can then ask
    /// another.
    /// </summary>
    private bool WriteValueHead(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output)
    {
        if (_isGetOver)
        {
            return false;
        }

        if (!slot.HasFailed && reply.Status == CacheStatus.Done)
        {
            Span<byte> line = output.GetSpan(LongestHead);
            "VALUE "u8.CopyTo(line);
            ReadOnlySpan<byte> key = slot.Key;
            key.CopyTo(line[6..]);
            int length = AddNumber(line, 6 + key.Length, reply.Flags);
            length = AddNumber(line, length, (ulong)valueLength);
            if (slot.WithCas)
            {
                length = AddNumber(line, length, reply.Cas);
            }

            "\r\n"u8.CopyTo(line[length..]);
            output.Advance(length + 2);
            return true;
        }

        if ((!slot.HasFailed && reply.Status == CacheStatus.NotFound) || IsMissedRead(slot, reply))
        {
            return false;
        }

        WriteLine(slot, reply, output);
        _isGetOver = true;
        return false;
    }

    private static int AddNumber(Span<byte> line, int at, ulong number)
    {
        line[at++] = (byte)' ';
        if (number < 10)
        {
            line[at] = (byte)('0' + number);
            return at + 1;
        }

        Utf8Formatter.TryFormat(number, line[at..], out int written);
        return at + written;
    }
}
