namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// Bytes behind a command that are a value, or were to be one: taken into the command's slot or thrown away as they
/// come. One command at a time; the connection's loop only.
/// </summary>
internal sealed class DataBlock
{
    private const int LineEndLength = 2;

    private CommandSlot? _slot;
    private long _remaining;
    private int _endLeft;
    private bool _isEndRight = true;

    /// <summary>Begins a value for a slot.</summary>
    /// <param name="slot">Where it goes.</param>
    /// <param name="length">Its bytes.</param>
    /// <param name="hasLineEnd">Whether <c>\r\n</c> must follow.</param>
    public void Begin(CommandSlot slot, long length, bool hasLineEnd)
    {
        _slot = slot;
        _remaining = length;
        _endLeft = hasLineEnd ? LineEndLength : 0;
        _isEndRight = true;
    }

    /// <summary>Begins bytes that nobody wants.</summary>
    public void BeginGarbage(long length)
    {
        _slot = null;
        _remaining = length;
        _endLeft = 0;
    }

    /// <summary>Takes what has come; true if that was all of it.</summary>
    public bool Take(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = (int)Math.Min(input.Length, _remaining);
        if (consumed > 0 && _slot is not null)
        {
            input[..consumed].CopyTo(_slot.Value.GetSpan(consumed));
            _slot.Value.Advance(consumed);
        }

        _remaining -= consumed;
        for (; _remaining == 0 && _endLeft > 0 && consumed < input.Length; consumed++)
        {
            _isEndRight &= input[consumed] == (_endLeft-- == LineEndLength ? '\r' : '\n');
        }

        return _remaining == 0 && _endLeft == 0;
    }

    /// <summary>Whether the value was followed by what must follow it.</summary>
    public bool IsRight => _isEndRight;
}
