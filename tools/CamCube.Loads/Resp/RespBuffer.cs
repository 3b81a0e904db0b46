using System.Buffers.Text;

namespace CamCube.Loads.Resp;

/// <summary>Bytes that come in behind and go out in front: commands to be sent, or answers that were received. Grows to
/// what it has to hold, and then allocates nothing. One thread.</summary>
/// <param name="capacity">Bytes at first.</param>
/// <param name="most">Bytes that it never grows above.</param>
public sealed class RespBuffer(int capacity = 16 << 10, int most = RespReader.MostValue + (1 << 20))
{
    private byte[] _bytes = new byte[capacity];
    private int _begin;
    private int _end;

    /// <summary>What is in it.</summary>
    public ReadOnlySpan<byte> Held => _bytes.AsSpan(_begin, _end - _begin);

    /// <summary>The same, for calls that wait.</summary>
    public ReadOnlyMemory<byte> HeldMemory => _bytes.AsMemory(_begin, _end - _begin);

    /// <summary>How much is in it.</summary>
    public int Count => _end - _begin;

    /// <summary>Throws all of it away.</summary>
    public void Clear() => (_begin, _end) = (0, 0);

    /// <summary>Takes from its front.</summary>
    public void Take(int count)
    {
        _begin += count;
        if (_begin == _end)
        {
            Clear();
        }
    }

    /// <summary>Room behind, at least so much, to be filled; <see cref="Fill"/> says how much of it was.</summary>
    /// <exception cref="RespException">It would be more than it may be.</exception>
    public Memory<byte> Room(int least)
    {
        Reserve(least);
        return _bytes.AsMemory(_end);
    }

    /// <summary>So much of the room is filled.</summary>
    public void Fill(int count) => _end += count;

    /// <summary>Begins a command of so many words.</summary>
    public void Command(int words) => Line((byte)'*', words);

    /// <summary>A word of a command.</summary>
    public void Word(ReadOnlySpan<byte> word)
    {
        Line((byte)'$', word.Length);
        Append(word);
        Append("\r\n"u8);
    }

    /// <summary>A word that is a number.</summary>
    public void Word(long number)
    {
        Span<byte> text = stackalloc byte[20];
        Utf8Formatter.TryFormat(number, text, out int length);
        Word(text[..length]);
    }

    /// <summary>A word of so many bytes, which the caller fills in at once.</summary>
    public Span<byte> WordOf(int length)
    {
        Line((byte)'$', length);
        Reserve(length + 2);
        Span<byte> word = _bytes.AsSpan(_end, length);
        "\r\n"u8.CopyTo(_bytes.AsSpan(_end + length));
        _end += length + 2;
        return word;
    }

    /// <summary>Bytes as they are.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        Reserve(bytes.Length);
        bytes.CopyTo(_bytes.AsSpan(_end));
        _end += bytes.Length;
    }

    private void Line(byte type, int number)
    {
        Reserve(16);
        _bytes[_end++] = type;
        Utf8Formatter.TryFormat(number, _bytes.AsSpan(_end), out int length);
        _end += length;
        _bytes[_end++] = (byte)'\r';
        _bytes[_end++] = (byte)'\n';
    }

    private void Reserve(int least)
    {
        if (_bytes.Length - _end >= least)
        {
            return;
        }

        int held = Count;
        if (held + (long)least > most)
        {
            throw new RespException($"more than {most} bytes would wait.", wasSent: true);
        }

        if (_bytes.Length - held < least || held > _bytes.Length / 2)
        {
            byte[] larger = new byte[(int)Math.Min(most, Math.Max(held + (long)least, _bytes.Length * 2L))];
            Held.CopyTo(larger);
            _bytes = larger;
        }
        else
        {
            Held.CopyTo(_bytes);
        }

        (_begin, _end) = (0, held);
    }
}
