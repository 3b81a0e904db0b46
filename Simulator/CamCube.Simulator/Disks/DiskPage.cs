namespace CamCube.Simulator.Disks;

/// <summary>4 KiB of a file: bytes, or the numbers of <see cref="CountedBytes"/>. What is shared is never changed; null
/// in the place of a page is zeros.</summary>
internal sealed class DiskPage
{
    public const int Size = 4_096;
    private readonly byte[]? _bytes;
    private readonly ulong _first;
    private readonly ulong _step;
    private readonly int _offset;
    private bool _isShared;

    private DiskPage(byte[] bytes) => _bytes = bytes;

    private DiskPage(int offset, ulong first, ulong step) => (_offset, _first, _step) = (offset, first, step);

    /// <summary>The page with bytes written into it: the same one if it may be changed.</summary>
    public static DiskPage? With(DiskPage? old, int at, ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length == Size && Find(bytes) is { } whole)
        {
            return whole;
        }

        DiskPage page = old is { _bytes: not null, _isShared: false } ? old : new DiskPage(new byte[Size]);
        if (page != old && bytes.Length < Size)
        {
            old?.Read(0, page._bytes);
        }

        bytes.CopyTo(page._bytes.AsSpan(at));

        // A page that is written piece by piece is looked at when its end comes.
        return bytes.Length < Size && at + bytes.Length == Size && Find(page._bytes) is { } found ? found : page;
    }

    /// <summary>The page may be seen by others from now on.</summary>
    public DiskPage Share()
    {
        _isShared = true;
        return this;
    }

    public void Read(int at, Span<byte> to)
    {
        if (_bytes is null)
        {
            CountedBytes.Fill(to, _offset + at, _first, _step);
        }
        else
        {
            _bytes.AsSpan(at, to.Length).CopyTo(to);
        }
    }

    public bool Equals(DiskPage other) =>
        this == other
        || (
            _bytes is not null && other._bytes is not null
                ? _bytes.AsSpan().SequenceEqual(other._bytes)
                : _bytes is null
                    && other._bytes is null
                    && (_offset, _first, _step) == (other._offset, other._first, other._step)
        );

    private static DiskPage? Find(ReadOnlySpan<byte> bytes) =>
        CountedBytes.TryFind(bytes, out int offset, out ulong first, out ulong step)
            ? new DiskPage(offset, first, step)
            : null;
}
