namespace CamCube.Simulator.Disks;

/// <summary>Bytes that grow, in pages. What was never written is zero and needs no memory.</summary>
internal sealed class DiskBytes
{
    private readonly List<DiskPage?> _pages = [];

    public long Length { get; private set; }

    public byte this[long at]
    {
        get
        {
            byte value = 0;
            Read(at, new Span<byte>(ref value));
            return value;
        }
        set => Write(at, new ReadOnlySpan<byte>(in value));
    }

    public void Read(long offset, Span<byte> to)
    {
        while (!to.IsEmpty)
        {
            (int page, int at) = PlaceOf(offset);
            Span<byte> part = to[..Math.Min(to.Length, DiskPage.Size - at)];
            if (_pages[page] is { } there)
            {
                there.Read(at, part);
            }
            else
            {
                part.Clear();
            }

            offset += part.Length;
            to = to[part.Length..];
        }
    }

    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        long end = checked(offset + bytes.Length);
        if (bytes.Length > 0 && end > Length)
        {
            SetLength(end);
        }

        while (!bytes.IsEmpty)
        {
            (int page, int at) = PlaceOf(offset);
            ReadOnlySpan<byte> part = bytes[..Math.Min(bytes.Length, DiskPage.Size - at)];
            _pages[page] = DiskPage.With(_pages[page], at, part);
            offset += part.Length;
            bytes = bytes[part.Length..];
        }
    }

    public void SetLength(long length)
    {
        int pages = checked((int)((length + DiskPage.Size - 1) / DiskPage.Size));
        (int last, int rest) = PlaceOf(length);
        if (length < Length && rest > 0 && _pages[last] is { } cut)
        {
            _pages[last] = DiskPage.With(cut, rest, stackalloc byte[DiskPage.Size - rest]);
        }

        if (pages < _pages.Count)
        {
            _pages.RemoveRange(pages, _pages.Count - pages);
        }

        _pages.AddRange(Enumerable.Repeat<DiskPage?>(null, pages - _pages.Count));
        Length = length;
    }

    public void CopyFrom(DiskBytes other)
    {
        _pages.Clear();
        _pages.AddRange(other._pages.Select(static page => page?.Share()));
        Length = other.Length;
    }

    /// <summary>Keeps pages of this range once that are the same in both.</summary>
    public void ShareWith(DiskBytes other, long from, long length)
    {
        (int first, _) = PlaceOf(from);
        (int last, _) = PlaceOf(from + Math.Max(0, length - 1));
        for (int i = first; i <= last && i < _pages.Count && i < other._pages.Count; i++)
        {
            if (_pages[i] is { } own && other._pages[i] is { } theirs && own != theirs && own.Equals(theirs))
            {
                _pages[i] = theirs.Share();
            }
        }
    }

    private static (int Page, int At) PlaceOf(long offset) =>
        ((int)(offset / DiskPage.Size), (int)(offset % DiskPage.Size));
}
