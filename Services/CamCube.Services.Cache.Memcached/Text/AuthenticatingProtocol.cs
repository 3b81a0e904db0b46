using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>
/// The text protocol behind an authentication file: until a client has sent <c>set x 0 0 N</c> with <c>user
/// password</c> as the value, whatever the key, every other line is refused, as memcached does.
/// </summary>
internal sealed class AuthenticatingProtocol(MemcachedContext context, AuthFile users) : IClientProtocol
{
    // A longer line, or a longer value, is nobody's name.
    private const int LineLimit = 2048;
    private readonly TextProtocol _text = new(context);
    private CommandSlot? _slot;
    private int _valueLength = -1;
    private bool _isKnown;
    private bool _isOver;

    public bool AwaitsValue => _isKnown ? _text.AwaitsValue : _valueLength >= 0;

    public ProtocolStep Advance(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        if (_slot is not null)
        {
            if (!window.TryLaunch(_slot))
            {
                return ProtocolStep.NeedsRoom;
            }

            _slot = null;
            return ProtocolStep.Took;
        }

        if (_isKnown)
        {
            return _text.Advance(input, window, out consumed);
        }

        if (_isOver)
        {
            consumed = input.Length;
            return ProtocolStep.Ended;
        }

        return _valueLength < 0 ? TakeLine(input, window, out consumed) : TakeValue(input, window, out consumed);
    }

    public bool WriteHead(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output) =>
        _text.WriteHead(slot, reply, valueLength, output);

    public bool WriteTail(CommandSlot slot, bool hadValue, ReplyBuffer output) =>
        _text.WriteTail(slot, hadValue, output);

    private ProtocolStep TakeLine(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        int end = input.IndexOf((byte)'\n');
        if (end < 0 && input.Length <= LineLimit)
        {
            return ProtocolStep.NeedsInput;
        }

        if (!window.HasRoom)
        {
            return ProtocolStep.NeedsRoom;
        }

        if (end < 0)
        {
            _isOver = true;
            return ProtocolStep.Took;
        }

        consumed = end + 1;
        var tokens = new TextTokens(input[..(end > 0 && input[end - 1] == '\r' ? end - 1 : end)]);
        if (
            tokens.Count < 5
            || !tokens[0].SequenceEqual("set"u8)
            || !TextNumbers.TryUnsigned32(tokens[4], out uint length)
        )
        {
            Answer(window, TextReply.Unauthenticated);
        }
        else if (length > LineLimit)
        {
            Answer(window, TextReply.AuthFormat);
            _slot!.Answer = SlotAnswer.LastLine;
            _isOver = true;
        }
        else
        {
            _valueLength = (int)length;
        }

        return ProtocolStep.Took;
    }

    private ProtocolStep TakeValue(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        if (input.Length < _valueLength + 2)
        {
            return ProtocolStep.NeedsInput;
        }

        if (!window.HasRoom)
        {
            return ProtocolStep.NeedsRoom;
        }

        ReadOnlySpan<byte> value = input[.._valueLength];
        bool isEndRight = input[_valueLength..].StartsWith("\r\n"u8);
        consumed = _valueLength + 2;
        _valueLength = -1;
        var tokens = new TextTokens(value);
        if (!isEndRight)
        {
            Answer(window, TextReply.AuthTermination);
        }
        else if (tokens.Count < 2)
        {
            Answer(window, TextReply.AuthFormat);
        }
        else
        {
            Judge(window, users.Knows(tokens[0], tokens[1]));
        }

        return ProtocolStep.Took;
    }

    private void Judge(CommandWindow window, bool isKnown)
    {
        _isKnown = isKnown;
        context.Counters.CountAuthentication(isKnown);
        Answer(window, isKnown ? TextReply.Stored : TextReply.AuthFailure);
    }

    private void Answer(CommandWindow window, TextReply line)
    {
        _slot = window.Rent();
        _slot.SetLine(line);
    }
}
