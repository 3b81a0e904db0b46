namespace CamCube.Experiments.Images;

/// <summary>The bits of a JPEG's scan, the highest first, with a zero behind each byte of ones.</summary>
/// <param name="capacity">Bytes that it may become, more or less.</param>
internal sealed class JpegBits(int capacity)
{
    private readonly List<byte> _bytes = new(capacity);
    private uint _held;
    private int _heldLength;

    /// <summary>Whole bytes so far.</summary>
    public int Length => _bytes.Count;

    /// <summary>Bits so far.</summary>
    public long Bits => (8L * _bytes.Count) + _heldLength;

    /// <summary>Appends bytes as they are, between two scans.</summary>
    public void Raw(ReadOnlySpan<byte> bytes) => _bytes.AddRange(bytes);

    /// <summary>Appends the lowest bits of a value, 16 at most.</summary>
    public void Put(int value, int length)
    {
        _held = (_held << length) | (uint)value;
        _heldLength += length;
        while (_heldLength >= 8)
        {
            _heldLength -= 8;
            byte next = (byte)(_held >> _heldLength);
            _bytes.Add(next);
            if (next == 0xFF)
            {
                _bytes.Add(0);
            }
        }
    }

    /// <summary>Fills the last byte with ones.</summary>
    public void Flush()
    {
        if (_heldLength > 0)
        {
            Put((1 << (8 - _heldLength)) - 1, 8 - _heldLength);
        }
    }

    /// <summary>All of it.</summary>
    public byte[] ToArray() => [.. _bytes];
}
