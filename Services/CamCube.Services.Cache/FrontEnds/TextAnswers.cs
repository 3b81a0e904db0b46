namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Writes the answers of the text protocol, in the order of the commands. Connection's loop only.</summary>
internal sealed class TextAnswers(FrontEndCounters counters)
{
    private bool _isGetOver;

    /// <summary>Writes the answer up to the value; true if the slot's value follows.</summary>
    internal bool WriteHead(CommandSlot slot, ReplyBuffer output)
    {
        if (slot.NoReply)
            return false;
        bool isDone = slot.Reply.Status == CacheStatus.Done && !slot.HasFailed;
        switch (slot.Answer)
        {
            case SlotAnswer.Value:
                return WriteValueHead(slot, isDone, output);
            case SlotAnswer.Text when isDone:
                return true;
            case SlotAnswer.Number when isDone:
                output.WriteNumber(slot.Reply.Number);
                output.Write("\r\n"u8);
                return false;
            default:
                output.Write(TextReplies.Of(TextReplies.Of(slot)));
                return false;
        }
    }

    /// <summary>Writes what follows the value; false if the connection is to end.</summary>
    internal bool WriteTail(CommandSlot slot, bool hadValue, ReplyBuffer output)
    {
        if (slot.Answer != SlotAnswer.Value)
            return slot.Answer != SlotAnswer.LastLine;
        if (hadValue)
            output.Write("\r\n"u8);
        if (slot.EndsGet)
        {
            if (!_isGetOver)
                output.Write("END\r\n"u8);
            _isGetOver = false;
        }

        return true;
    }

    /// <summary>
    /// A key whose root did not answer in time is a miss: that is never wrong for a cache, costs the client one key
    /// instead of all, and is counted. A server that is cut off says so, in place of END as memcached does when a get
    /// breaks off: a client can then ask another.
    /// </summary>
    private bool WriteValueHead(CommandSlot slot, bool isDone, ReplyBuffer output)
    {
        if (_isGetOver)
            return false;
        if (isDone)
        {
            output.Write("VALUE "u8);
            output.Write(slot.Key);
            output.Write(" "u8);
            output.WriteNumber(slot.Reply.Flags);
            output.Write(" "u8);
            output.WriteNumber((ulong)slot.ValueLength);
            if (slot.WithCas)
            {
                output.Write(" "u8);
                output.WriteNumber(slot.Reply.Cas);
            }

            output.Write("\r\n"u8);
            return true;
        }

        if (!slot.HasFailed && slot.Reply.Status == CacheStatus.NotFound)
            return false;
        if (!slot.HasFailed && slot.Reply.Status == CacheStatus.TimedOut)
        {
            counters.CountGetTimeout();
            return false;
        }

        output.Write(TextReplies.Of(TextReplies.Of(slot)));
        _isGetOver = true;
        return false;
    }
}
