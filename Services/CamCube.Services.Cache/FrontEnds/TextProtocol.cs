namespace CamCube.Services.Cache.FrontEnds;

/// <summary>memcached's text protocol on one connection: the state between two pieces of input.</summary>
internal sealed class TextProtocol(MemcachedContext context) : IClientProtocol
{
    // From here on a line without end must be a get or gets, with at most so many spaces before it.
    private const int LineLimit = 2048;
    private const int MaxLeadingSpaces = 100;

    private readonly TextAnswers _answers = new(context.Counters);
    private State _state;
    private CommandSlot? _slot;

    // Bytes of the unfinished line that were searched for its end.
    private int _searched;

    // Bytes of data still to come or to throw away; of a line of keys those not yet taken, and those behind the last.
    private long _remaining;
    private int _lineEnd;

    // How many bytes of the two behind a data block were seen, and whether they were right.
    private int _endSeen;
    private bool _isEndRight;

    // What the keys of the line that is being taken have in common.
    private CacheOperation _operation;
    private int _expiry;
    private bool _withCas;

    private enum State : byte
    {
        Line,
        Keys,
        Data,
        DataEnd,
        Swallow,
        Launch,
        LaunchThenKeys,
        LaunchThenSwallow,
        LaunchThenEnd,
        Ended,
    }

    public ParseResult Advance(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        return _state switch
        {
            State.Line => TakeLine(input, window, out consumed),
            State.Keys => TakeKey(input, window, out consumed),
            State.Data => TakeData(input, out consumed),
            State.DataEnd => TakeDataEnd(input, out consumed),
            State.Swallow => Swallow(input, out consumed),
            State.Ended => End(input, out consumed),
            _ => Launch(window),
        };
    }

    public bool WriteHead(CommandSlot slot, ReplyBuffer output) => _answers.WriteHead(slot, output);

    public bool WriteTail(CommandSlot slot, bool hadValue, ReplyBuffer output) =>
        _answers.WriteTail(slot, hadValue, output);

    private ParseResult TakeLine(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        int end = input[_searched..].IndexOf((byte)'\n');
        if (end < 0)
            return WaitForLineEnd(input, window);
        if (!window.HasRoom)
            return ParseResult.NeedsRoom;

        end += _searched;
        _searched = 0;
        int length = end > 1 && input[end - 1] == '\r' ? end - 1 : end;
        TextCommand command = TextParser.Parse(input[..length]);
        if (command.Verb == TextVerb.Get)
        {
            consumed = BeginKeys(command, input, end);
        }
        else
        {
            consumed = end + 1;
            _slot = window.Rent();
            Fill(_slot, command);
        }

        return ParseResult.Took;
    }

    private ParseResult WaitForLineEnd(ReadOnlySpan<byte> input, CommandWindow window)
    {
        _searched = input.Length;
        if (input.Length <= LineLimit)
            return ParseResult.NeedsInput;

        int spaces = input.IndexOfAnyExcept((byte)' ');
        bool isGet = spaces is >= 0 and <= MaxLeadingSpaces
            && (input[spaces..].StartsWith("get "u8) || input[spaces..].StartsWith("gets "u8));
        if (isGet && input.Length <= context.Options.MaxLineLength)
            return ParseResult.NeedsInput;
        if (!window.HasRoom)
            return ParseResult.NeedsRoom;

        // memcached closes without a word, and has no limit for a get.
        _slot = window.Rent();
        _slot.SetLine(isGet ? TextReply.LineTooLong : TextReply.Nothing);
        _slot.Answer = SlotAnswer.LastLine;
        _state = State.LaunchThenEnd;
        return ParseResult.Took;
    }

    private int BeginKeys(in TextCommand command, ReadOnlySpan<byte> input, int end)
    {
        _operation = command.Operation;
        _expiry = command.Expiry;
        _withCas = command.WithCas;
        input.Overlaps(command.Key, out int first);
        _remaining = command.Key.Length;
        _lineEnd = end + 1 - first - command.Key.Length;
        _state = State.Keys;
        return first;
    }

    private ParseResult TakeKey(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        if (!window.HasRoom)
            return ParseResult.NeedsRoom;

        ReadOnlySpan<byte> keys = input[..(int)_remaining];
        int next = 0;
        TextTokens.TryNext(keys, ref next, out int start);
        _slot = window.Rent();
        _slot.SetKey(keys[start..next]);
        _slot.Work = SlotWork.Cache;
        _slot.Operation = _operation;
        _slot.Answer = SlotAnswer.Value;
        _slot.Expiry = _expiry;
        _slot.WithCas = _withCas;

        int nextStart = next;
        while (nextStart < keys.Length && keys[nextStart] == ' ')
            nextStart++;
        _remaining = keys.Length - nextStart;
        _slot.EndsGet = _remaining == 0;
        consumed = _slot.EndsGet ? nextStart + _lineEnd : nextStart;
        _state = _slot.EndsGet ? State.Launch : State.LaunchThenKeys;
        return ParseResult.Took;
    }

    private void Fill(CommandSlot slot, in TextCommand command)
    {
        slot.NoReply = command.NoReply;
        slot.Work = SlotWork.Cache;
        slot.Operation = command.Operation;
        slot.Flags = command.Flags;
        slot.Expiry = command.Expiry;
        slot.Cas = command.Cas;
        slot.Delta = command.Delta;
        slot.SetKey(command.Key);
        _state = State.Launch;
        switch (command.Verb)
        {
            case TextVerb.Reply:
                slot.SetLine(command.Reply);
                break;
            case TextVerb.Store:
                BeginData(slot, command.Length);
                break;
            case TextVerb.Delete:
                slot.Answer = SlotAnswer.Deleted;
                break;
            case TextVerb.Arithmetic:
                slot.Answer = SlotAnswer.Number;
                break;
            case TextVerb.Touch:
                slot.Answer = SlotAnswer.Touched;
                break;
            case TextVerb.FlushAll:
                slot.Work = SlotWork.FlushAll;
                slot.Answer = SlotAnswer.Flushed;
                slot.Expiry = Math.Max(0, command.Expiry);
                break;
            case TextVerb.Quit:
                slot.SetLine(TextReply.Nothing);
                slot.Answer = SlotAnswer.LastLine;
                _state = State.LaunchThenEnd;
                break;
            default:
                FillStatistics(slot, command.Verb);
                break;
        }
    }

    private void FillStatistics(CommandSlot slot, TextVerb verb)
    {
        slot.Answer = SlotAnswer.Text;
        switch (verb)
        {
            case TextVerb.Statistics:
                slot.Work = SlotWork.CubeStatistics;
                break;
            case TextVerb.StatisticsOfServer:
                slot.Work = SlotWork.ServerStatistics;
                break;
            case TextVerb.Settings:
                slot.Work = SlotWork.None;
                StatisticsText.WriteSettings(context, slot.Value);
                break;
            default:
                context.Counters.Reset();
                slot.SetLine(TextReply.Reset);
                break;
        }
    }

    private void BeginData(CommandSlot slot, int length)
    {
        slot.Answer = SlotAnswer.Stored;
        _remaining = length;
        if (length <= context.MaxValueLength)
        {
            _endSeen = 0;
            _isEndRight = true;
            _state = length == 0 ? State.DataEnd : State.Data;
            return;
        }

        // As in memcached a set that is too large removes the old item: better none than a stale one.
        bool removesOld = slot.Operation == CacheOperation.Set;
        slot.SetLine(TextReply.TooLarge);
        slot.Work = removesOld ? SlotWork.Cache : SlotWork.None;
        slot.Operation = CacheOperation.Delete;
        _remaining = length + 2L;
        _state = State.LaunchThenSwallow;
    }

    private ParseResult TakeData(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = (int)Math.Min(input.Length, _remaining);
        if (consumed == 0)
            return ParseResult.NeedsInput;
        input[..consumed].CopyTo(_slot!.Value.GetSpan(consumed));
        _slot.Value.Advance(consumed);
        _remaining -= consumed;
        if (_remaining == 0)
            _state = State.DataEnd;
        return ParseResult.Took;
    }

    private ParseResult TakeDataEnd(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = 0;
        for (; consumed < input.Length && _endSeen < 2; consumed++)
            _isEndRight &= input[consumed] == (_endSeen++ == 0 ? '\r' : '\n');
        if (_endSeen < 2)
            return ParseResult.NeedsInput;

        if (!_isEndRight)
        {
            _slot!.SetLine(TextReply.BadDataChunk);
            _slot.Value.Clear();
        }

        _state = State.Launch;
        return ParseResult.Took;
    }

    private ParseResult Swallow(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = (int)Math.Min(input.Length, _remaining);
        _remaining -= consumed;
        if (_remaining > 0)
            return ParseResult.NeedsInput;
        _state = State.Line;
        return ParseResult.Took;
    }

    private static ParseResult End(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = input.Length;
        return ParseResult.Ended;
    }

    private ParseResult Launch(CommandWindow window)
    {
        if (!window.TryLaunch(_slot!))
            return ParseResult.NeedsRoom;
        _slot = null;
        _state = _state switch
        {
            State.LaunchThenKeys => State.Keys,
            State.LaunchThenSwallow => State.Swallow,
            State.LaunchThenEnd => State.Ended,
            _ => State.Line,
        };
        return ParseResult.Took;
    }
}
