using System.Buffers.Text;
using System.Text;
using CamCube.FrontEnds.Buffers;

namespace CamCube.Services.KeyValue.Redis.Protocol;

/// <summary>
/// Writes answers, in the second or third version of the protocol. One user at a time.
/// </summary>
/// <param name="output">Where they go.</param>
/// <param name="mostLength">Bytes of an answer; what is longer is left out, and said
/// (<see cref="IsTooLong"/>).</param>
internal sealed class Reply(ReplyBuffer output, int mostLength)
{
    private const int MostNumber = 24;

    /// <summary>Where they go.</summary>
    public ReplyBuffer Output => output;

    /// <summary>The version, 2 or 3.</summary>
    public int Version { get; set; } = 2;

    /// <summary>Whether it is the third.</summary>
    public bool IsThird => Version == 3;

    /// <summary>Whether an error was written.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Whether it would have become longer than it may be. What is there then is no answer.</summary>
    public bool IsTooLong { get; private set; }

    /// <summary>The store that is asked, which may know why it cannot answer; null: none.</summary>
    public IKeyValueStore? Store { get; set; }

    /// <summary>What was to be done for it beside reading the question and writing the answer, in bytes that could have
    /// been copied instead. <see cref="Clear"/> leaves it: what was done twice counts twice.</summary>
    public long Work { get; set; }

    /// <summary>Forgets what was written.</summary>
    public void Clear()
    {
        output.Clear();
        (HasFailed, IsTooLong) = (false, false);
    }

    /// <summary>What an operation ended with that is no answer. A server without a disk says what to do about that, and
    /// not that others are away.</summary>
    public void Refuse(KeyValueStatus status) =>
        Error(
            status == KeyValueStatus.Unavailable && Store?.Failure is { } why
                ? $"UNAVAILABLE this server has no part of the store: {why}; nothing was changed"
                : Errors.Of(status)
        );

    /// <summary><c>+OK</c>.</summary>
    public void Ok() => output.Write("+OK\r\n"u8);

    /// <summary>A word or two, without line breaks.</summary>
    public void Simple(ReadOnlySpan<byte> text)
    {
        output.Write("+"u8);
        output.Write(text);
        output.Write("\r\n"u8);
    }

    /// <summary>An error: its kind in capitals, a blank and a sentence. What would break the line is
    /// replaced.</summary>
    public void Error(string text)
    {
        HasFailed = true;
        Span<byte> bytes = output.GetSpan(Encoding.UTF8.GetMaxByteCount(text.Length) + 3);
        bytes[0] = (byte)'-';
        int length = Encoding.UTF8.GetBytes(text, bytes[1..]);
        bytes.Slice(1, length).Replace((byte)'\r', (byte)' ');
        bytes.Slice(1, length).Replace((byte)'\n', (byte)' ');
        "\r\n"u8.CopyTo(bytes[(length + 1)..]);
        output.Advance(length + 3);
    }

    /// <summary>A number.</summary>
    public void Integer(long number) => Head((byte)':', number);

    /// <summary>A number that is there as digits.</summary>
    public void Integer(ReadOnlySpan<byte> digits)
    {
        output.Write(":"u8);
        output.Write(digits);
        output.Write("\r\n"u8);
    }

    /// <summary>Bytes.</summary>
    public void Bulk(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > mostLength - output.Length)
        {
            IsTooLong = true;
            return;
        }

        Head((byte)'$', bytes.Length);
        output.Write(bytes);
        output.Write("\r\n"u8);
    }

    /// <summary>Text, in UTF-8.</summary>
    public void Bulk(string text) => Bulk(Encoding.UTF8.GetBytes(text));

    /// <summary>A text for people, which is no value.</summary>
    public void Verbatim(string text)
    {
        if (!IsThird)
        {
            Bulk(text);
            return;
        }

        byte[] bytes = Encoding.UTF8.GetBytes(text);
        Head((byte)'=', bytes.Length + 4);
        output.Write("txt:"u8);
        output.Write(bytes);
        output.Write("\r\n"u8);
    }

    /// <summary>No value.</summary>
    public void Null() => output.Write(IsThird ? "_\r\n"u8 : "$-1\r\n"u8);

    /// <summary>No array.</summary>
    public void NullArray() => output.Write(IsThird ? "_\r\n"u8 : "*-1\r\n"u8);

    /// <summary>So many elements follow.</summary>
    public void Array(int count) => Head((byte)'*', count);

    /// <summary>So many pairs follow, a key and a value each.</summary>
    public void Map(int count) => Head(IsThird ? (byte)'%' : (byte)'*', IsThird ? count : 2L * count);

    /// <summary>So many different elements follow.</summary>
    public void Set(int count) => Head(IsThird ? (byte)'~' : (byte)'*', count);

    private void Head(byte kind, long number)
    {
        Span<byte> bytes = output.GetSpan(MostNumber);
        bytes[0] = kind;
        Utf8Formatter.TryFormat(number, bytes[1..], out int digits);
        bytes[digits + 1] = (byte)'\r';
        bytes[digits + 2] = (byte)'\n';
        output.Advance(digits + 3);
    }
}
