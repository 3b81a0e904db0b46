namespace CamCube.Simulator.Disks;

/// <summary>Bytes that grow. What was never written is zero.</summary>
internal sealed class DiskBytes
{
    private byte[] _bytes = [];

    public int Length { get; private set; }

    public Span<byte> Span => _bytes.AsSpan(0, Length);

    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        int end = checked((int)(offset + bytes.Length));
        if (bytes.Length > 0 && end > Length)
        {
            SetLength(end);
        }

        bytes.CopyTo(_bytes.AsSpan((int)offset));
    }

    public void SetLength(long length)
    {
        int n = checked((int)length);
        if (n > _bytes.Length)
        {
            Array.Resize(ref _bytes, Math.Max(n, Math.Min(_bytes.Length * 2, 1 << 30)));
        }
        else if (n < Length)
        {
            _bytes.AsSpan(n, Length - n).Clear();
        }

        Length = n;
    }

    public void CopyFrom(DiskBytes other)
    {
        SetLength(0);
        Write(0, other.Span);
    }
}
