using System.Buffers.Text;
using CamCube.Services.KeyValue.Redis.Settings;

namespace CamCube.Services.KeyValue.Redis.Protocol;

/// <summary>
/// Reads requests of one client: arrays of bulk strings, or a line of words as people type them. Takes bytes as they
/// come, so that nothing is looked at twice, and nothing is believed that was only announced. Its errors have Redis'
/// words. In the connection's turns only.
/// </summary>
/// <param name="options">Limits.</param>
internal sealed class RequestParser(RedisFrontEndOptions options)
{
    // Of a line of words, or of one that announces something.
    private const int MostLine = 64 << 10;

    // Who has not said who he is may not make the server keep much.
    private const int MostStrangerArguments = 10;
    private const int MostStrangerLength = 16 << 10;

    private int _argumentsLeft;
    private int _bytesLeft;
    private State _state;

    private enum State : byte
    {
        Begin,
        Length,
        Content,
        End,
    }

    /// <summary>What is wrong; after Broken.</summary>
    public string Error { get; private set; } = "";

    /// <summary>Whether it waits for the rest of a request.</summary>
    public bool IsReceiving => _state != State.Begin;

    /// <summary>Reads on.</summary>
    /// <param name="input">What was received and not consumed.</param>
    /// <param name="isStranger">The client has not said who it is, and has to.</param>
    /// <param name="into">Where the arguments go; the same until the request is whole.</param>
    /// <param name="consumed">Bytes not wanted again.</param>
    public ParseStep Read(ReadOnlySpan<byte> input, bool isStranger, RequestArguments into, out int consumed)
    {
        consumed = 0;
        if (_state == State.Begin)
        {
            if (input.IsEmpty)
            {
                return ParseStep.NeedsInput;
            }

            if (input[0] != (byte)'*')
            {
                return ReadLine(input, into, out consumed);
            }

            if (!TryTakeHead(input, "too big mbulk count string", out ReadOnlySpan<byte> head, out consumed))
            {
                return Error.Length > 0 ? ParseStep.Broken : ParseStep.NeedsInput;
            }

            if (!TryRead(head, out long count) || count > options.MaxArguments)
            {
                return Broken("invalid multibulk length");
            }

            if (count <= 0)
            {
                return ParseStep.Empty;
            }

            if (isStranger && count > MostStrangerArguments)
            {
                return Broken("unauthenticated multibulk length");
            }

            (_argumentsLeft, _state) = ((int)count, State.Length);
        }

        return ReadArguments(input, isStranger, into, ref consumed);
    }

    private ParseStep ReadArguments(ReadOnlySpan<byte> input, bool isStranger, RequestArguments into, ref int consumed)
    {
        while (_argumentsLeft > 0)
        {
            ReadOnlySpan<byte> rest = input[consumed..];
            if (_state == State.Length)
            {
                if (!TryTakeHead(rest, "too big bulk count string", out ReadOnlySpan<byte> head, out int taken))
                {
                    return Error.Length > 0 ? ParseStep.Broken : ParseStep.NeedsInput;
                }

                if (rest[0] != (byte)'$')
                {
                    char got = rest[0] is >= 0x20 and < 0x7F ? (char)rest[0] : '?';
                    return Broken($"expected '$', got '{got}'");
                }

                if (!TryRead(head, out long length) || length < 0 || length > options.MaxValueLength)
                {
                    return Broken("invalid bulk length");
                }

                if (isStranger && length > MostStrangerLength)
                {
                    return Broken("unauthenticated bulk length");
                }

                if (into.Length + length > options.MaxRequestBytes)
                {
                    return Broken("too big request");
                }

                consumed += taken;
                (_bytesLeft, _state) = ((int)length, State.Content);
            }
            else if (_state == State.Content)
            {
                ReadOnlySpan<byte> piece = rest[..Math.Min(_bytesLeft, rest.Length)];
                into.Append(piece);
                consumed += piece.Length;
                _bytesLeft -= piece.Length;
                if (_bytesLeft > 0)
                {
                    return ParseStep.NeedsInput;
                }

                _state = State.End;
            }
            else
            {
                // As Redis does: whatever the two bytes are.
                if (rest.Length < 2)
                {
                    return ParseStep.NeedsInput;
                }

                into.EndArgument();
                consumed += 2;
                _argumentsLeft--;
                _state = State.Length;
            }
        }

        _state = State.Begin;
        return ParseStep.Complete;
    }

    private ParseStep ReadLine(ReadOnlySpan<byte> input, RequestArguments into, out int consumed)
    {
        consumed = 0;
        int end = input.IndexOf((byte)'\n');
        if (end > MostLine || (end < 0 && input.Length > MostLine))
        {
            return Broken("too big inline request");
        }

        if (end < 0)
        {
            return ParseStep.NeedsInput;
        }

        consumed = end + 1;
        ReadOnlySpan<byte> line = input[..end];
        line = line.EndsWith("\r"u8) ? line[..^1] : line;
        if (!InlineArguments.TryRead(line, into))
        {
            return Broken("unbalanced quotes in request");
        }

        return into.Count == 0 ? ParseStep.Empty : ParseStep.Complete;
    }

    // The line behind its first byte, without its end.
    private bool TryTakeHead(ReadOnlySpan<byte> input, string tooLong, out ReadOnlySpan<byte> head, out int taken)
    {
        head = default;
        taken = 0;
        int end = input.IndexOf((byte)'\r');
        if (end < 0 || end > MostLine)
        {
            if (input.Length > MostLine)
            {
                Broken(tooLong);
            }

            return false;
        }

        if (input.Length < end + 2)
        {
            return false;
        }

        head = end == 0 ? [] : input[1..end];
        taken = end + 2;
        return true;
    }

    private static bool TryRead(ReadOnlySpan<byte> digits, out long number) =>
        Utf8Parser.TryParse(digits, out number, out int read) && read == digits.Length && digits[0] != (byte)'+';

    private ParseStep Broken(string why)
    {
        Error = why;
        return ParseStep.Broken;
    }
}
