using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Meta;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>
/// memcached's text protocol, meta commands among it, on one connection: the state between two pieces of input.
/// </summary>
internal sealed class TextProtocol(MemcachedContext context) : IClientProtocol
{
    // From here on a line without end must be a get or gets, with at most so many spaces before it.
    private const int LineLimit = 2048;
    private const int MaxLeadingSpaces = 100;
    private const int LineEndLength = 2;

    private readonly TextAnswers _answers = new(context);
    private readonly DataBlock _data = new();
    private State _state;
    private CommandSlot? _slot;

    // Bytes of the unfinished line that were searched for its end.
    private int _searched;

    // Of a line of keys: bytes not yet taken, and those behind the last key.
    private int _keysLeft;
    private int _lineEnd;

    // What the keys of the line that is being taken have in common.
    private CacheTerms _keyTerms;
    private bool _withCas;

    private enum State : byte
    {
        Line,
        Keys,
        Data,
        Garbage,
        Launch,
        LaunchThenKeys,
        LaunchThenGarbage,
        LaunchThenEnd,
        Ended,
    }

    public bool AwaitsValue => _state is State.Data or State.Garbage;

    public ProtocolStep Advance(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        ProtocolStep step = _state switch
        {
            State.Line => TakeLine(input, window, out consumed),
            State.Keys => TakeKeys(input, window, out consumed),
            State.Data => TakeData(input, out consumed),
            State.Garbage => TakeGarbage(input, out consumed),
            State.Ended => End(input, out consumed),
            _ => Launch(window),
        };

        // Between two lines with nothing left, as after most: a further step would only find that out.
        return step == ProtocolStep.Took && _state == State.Line && consumed == input.Length
            ? ProtocolStep.NeedsInput
            : step;
    }

    public bool TryGlance(ReadOnlySpan<byte> input, out Range key)
    {
        // Verbs of three letters: get and set; of two: the meta commands.
        const int LongVerb = 3,
            ShortVerb = 2;
        key = default;
        if (_state != State.Line || _searched > 0 || input.Length <= LongVerb)
        {
            return false;
        }

        int start =
            input[LongVerb] == ' ' ? LongVerb + 1
            : input[ShortVerb] == ' ' ? ShortVerb + 1
            : 0;
        int length = start == 0 ? 0 : input[start..].IndexOfAny((byte)' ', (byte)'\r', (byte)'\n');
        if (length is <= 0 or > CommandSlot.MaxKeyLength)
        {
            return false;
        }

        key = start..(start + length);
        return true;
    }

    public bool WriteHead(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output) =>
        _answers.WriteHead(slot, reply, valueLength, output);

    public bool WriteTail(CommandSlot slot, bool hadValue, ReplyBuffer output) =>
        _answers.WriteTail(slot, hadValue, output);

    private ProtocolStep TakeLine(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        int end = input[_searched..].IndexOf((byte)'\n');
        if (end < 0)
        {
            return WaitForLineEnd(input, window);
        }

        if (!window.HasRoom)
        {
            return ProtocolStep.NeedsRoom;
        }

        end += _searched;
        if (TryTakeOneKey(input[..end], window))
        {
            consumed = end + 1;
            _searched = 0;
            return ProtocolStep.Took;
        }

        _searched = 0;
        ReadOnlySpan<byte> line = input[..(end > 1 && input[end - 1] == '\r' ? end - 1 : end)];

        // memcached works on C strings: a zero byte ends the line.
        int zero = line.IndexOf((byte)0);
        if (zero >= 0)
        {
            line = line[..zero];
        }

        if (MetaParser.IsMeta(line))
        {
            consumed = end + 1;
            _slot = window.Rent();
            Follow(MetaParser.Parse(line, _slot));
            return ProtocolStep.Took;
        }

        TextCommand command = TextParser.Parse(line);
        if (command.Verb == TextVerb.Get)
        {
            consumed = BeginKeys(command, input, end);
            return ProtocolStep.Took;
        }

        consumed = end + 1;
        _slot = window.Rent();
        Fill(_slot, command);
        return ProtocolStep.Took;
    }

    // A line "get KEY", which most are, without the steps that other lines need. False: it is another line, and nothing
    // was done.
    private bool TryTakeOneKey(ReadOnlySpan<byte> line, CommandWindow window)
    {
        if (!line.StartsWith("get "u8) || line[^1] != '\r')
        {
            return false;
        }

        ReadOnlySpan<byte> key = line[4..^1];
        if (key.Length is 0 or > CommandSlot.MaxKeyLength || key.IndexOfAny((byte)' ', (byte)0) >= 0)
        {
            return false;
        }

        CommandSlot slot = window.Rent();
        slot.Work = SlotWork.Cache;
        slot.Terms = new CacheTerms { Operation = CacheOperation.Get };
        slot.Answer = SlotAnswer.Value;
        slot.EndsGet = true;
        slot.SetKey(key);
        if (window.TryAnswer(slot))
        {
            window.Return(slot);
        }
        else
        {
            _slot = slot;
            _state = State.Launch;
        }

        return true;
    }

    private ProtocolStep WaitForLineEnd(ReadOnlySpan<byte> input, CommandWindow window)
    {
        _searched = input.Length;
        if (input.Length <= LineLimit)
        {
            return ProtocolStep.NeedsInput;
        }

        int spaces = input.IndexOfAnyExcept((byte)' ');
        bool isGet =
            spaces is >= 0 and <= MaxLeadingSpaces
            && (input[spaces..].StartsWith("get "u8) || input[spaces..].StartsWith("gets "u8));
        if (isGet && input.Length <= context.Options.MaxLineLength)
        {
            return ProtocolStep.NeedsInput;
        }

        if (!window.HasRoom)
        {
            return ProtocolStep.NeedsRoom;
        }

        // memcached closes without a word, and has no limit for a get.
        _slot = window.Rent();
        _slot.SetLine(isGet ? TextReply.LineTooLong : TextReply.Nothing);
        _slot.Answer = SlotAnswer.LastLine;
        _state = State.LaunchThenEnd;
        return ProtocolStep.Took;
    }

    private int BeginKeys(in TextCommand command, ReadOnlySpan<byte> input, int end)
    {
        _keyTerms = new CacheTerms { Operation = command.Operation, Expiry = command.Expiry };
        _withCas = command.WithCas;
        input.Overlaps(command.Key, out int first);
        _keysLeft = command.Key.Length;
        _lineEnd = end + 1 - first - command.Key.Length;
        _state = State.Keys;
        return first;
    }

    private ProtocolStep TakeKeys(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        if (!window.HasRoom)
        {
            return ProtocolStep.NeedsRoom;
        }

        CommandSlot slot = window.Rent();
        slot.Work = SlotWork.Cache;
        slot.Terms = _keyTerms;
        slot.Answer = SlotAnswer.Value;
        slot.WithCas = _withCas;
        do
        {
            consumed += TakeKey(slot, input[consumed..], window);
            if (!window.TryAnswer(slot))
            {
                _slot = slot;
                _state = slot.EndsGet ? State.Launch : State.LaunchThenKeys;
                return ProtocolStep.Took;
            }

            slot.Reopen();
        } while (!slot.EndsGet && window.MayGoOn);

        _state = slot.EndsGet ? State.Line : State.Keys;
        window.Return(slot);
        return ProtocolStep.Took;
    }

    // Puts the next key of the line into the slot; answers the bytes up to the one after it, or all if it is the last.
    private int TakeKey(CommandSlot slot, ReadOnlySpan<byte> input, CommandWindow window)
    {
        ReadOnlySpan<byte> keys = input[.._keysLeft];
        int next = 0;
        TextTokens.TryNext(keys, ref next, out int start);
        slot.SetKey(keys[start..next]);
        slot.EndsGet = !TextTokens.TryNext(keys, ref next, out int following);
        if (slot.EndsGet)
        {
            _keysLeft = 0;
            return keys.Length + _lineEnd;
        }

        window.Hint(keys[following..next]);
        _keysLeft = keys.Length - following;
        return following;
    }

    private void Fill(CommandSlot slot, in TextCommand command)
    {
        slot.NoReply = command.NoReply;
        _state = State.Launch;
        if (command.Verb is TextVerb.Reply or TextVerb.Quit)
        {
            slot.SetLine(command.Reply);
            if (command.Verb == TextVerb.Quit)
            {
                EndWith(slot);
            }

            return;
        }

        if (command.Verb == TextVerb.Shutdown)
        {
            TextReply refusal = context.Process is { AllowsShutdown: true } ? command.Reply : TextReply.NoShutdown;
            slot.SetLine(refusal);
            if (refusal == TextReply.Nothing)
            {
                EndWith(slot);
                context.Process!.Shutdown(command.Delta == 1);
            }

            return;
        }

        TextFiller.Fill(slot, command, context);
        if (command.Verb == TextVerb.Store)
        {
            BeginData(slot, command.Length);
        }
    }

    private void EndWith(CommandSlot slot)
    {
        slot.Answer = SlotAnswer.LastLine;
        _state = State.LaunchThenEnd;
    }

    private void Follow(in MetaStep step)
    {
        _state = State.Launch;
        if (step.Kind == MetaStepKind.Data)
        {
            BeginData(_slot!, step.Length);
        }
        else if (step.Kind == MetaStepKind.Garbage)
        {
            _data.BeginGarbage(step.Length + (long)LineEndLength);
            _state = State.LaunchThenGarbage;
        }
    }

    private void BeginData(CommandSlot slot, int length)
    {
        if (length <= context.MaxValueLength)
        {
            _data.Begin(slot, length, hasLineEnd: true);
            _state = State.Data;
            return;
        }

        // As in memcached a set that is too large removes the old item, and ms of any kind: better none than a stale
        // one.
        bool isMeta = slot.Answer == SlotAnswer.MetaStored;
        bool removesOld = isMeta || slot.Terms.Operation == CacheOperation.Set;
        context.Counters.CountTooLarge();
        slot.SetLine(TextReply.TooLarge);
        slot.NoReply &= !isMeta;
        slot.Work = removesOld ? SlotWork.Cache : SlotWork.None;
        slot.Terms = new CacheTerms { Operation = CacheOperation.Delete };
        _data.BeginGarbage(length + (long)LineEndLength);
        _state = State.LaunchThenGarbage;
    }

    private ProtocolStep TakeData(ReadOnlySpan<byte> input, out int consumed)
    {
        if (!_data.Take(input, out consumed))
        {
            return ProtocolStep.NeedsInput;
        }

        _state = State.Launch;
        if (_data.IsRight)
        {
            return ProtocolStep.Took;
        }

        // A quiet ms says what is wrong, a set with noreply does not.
        _slot!.NoReply &= _slot.Answer != SlotAnswer.MetaStored;
        _slot.SetLine(TextReply.BadDataChunk);
        _slot.Value.Clear();
        return ProtocolStep.Took;
    }

    private ProtocolStep TakeGarbage(ReadOnlySpan<byte> input, out int consumed)
    {
        if (!_data.Take(input, out consumed))
        {
            return ProtocolStep.NeedsInput;
        }

        _state = State.Line;
        return ProtocolStep.Took;
    }

    private static ProtocolStep End(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = input.Length;
        return ProtocolStep.Ended;
    }

    private ProtocolStep Launch(CommandWindow window)
    {
        if (!window.TryLaunch(_slot!))
        {
            return ProtocolStep.NeedsRoom;
        }

        _slot = null;
        _state = _state switch
        {
            State.LaunchThenKeys => State.Keys,
            State.LaunchThenGarbage => State.Garbage,
            State.LaunchThenEnd => State.Ended,
            _ => State.Line,
        };
        return ProtocolStep.Took;
    }
}
