namespace CamCube.Services.Collectives.Groups;

/// <summary>The last bytes that went down an edge and whose operations are done, so that their memory is somebody
/// else's again. Loop only.</summary>
/// <param name="most">How many are kept.</param>
internal sealed class KeptBytes(int most)
{
    private const int First = 4 << 10;

    private byte[] _ring = [];
    private long _from;

    /// <summary>Where the first byte is that is kept.</summary>
    public long Start => Math.Max(_from, End - _ring.Length);

    /// <summary>Where the first byte is that is not yet.</summary>
    public long End { get; private set; }

    /// <summary>Bytes behind the last that nobody asks for again, nor for those before.</summary>
    public void Skip(int count) => _from = End += count;

    /// <summary>Adds bytes behind the last.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        Grow(bytes.Length);
        if (bytes.Length > _ring.Length)
        {
            End += bytes.Length - _ring.Length;
            bytes = bytes[^_ring.Length..];
        }

        while (!bytes.IsEmpty)
        {
            Span<byte> place = _ring.AsSpan((int)(End % _ring.Length));
            int count = Math.Min(place.Length, bytes.Length);
            bytes[..count].CopyTo(place);
            bytes = bytes[count..];
            End += count;
        }
    }

    /// <summary>Bytes from a place on, as many as are in one piece.</summary>
    /// <param name="at">The place, from <see cref="Start"/> to below <see cref="End"/>.</param>
    public ReadOnlySpan<byte> From(long at)
    {
        int place = (int)(at % _ring.Length);
        return _ring.AsSpan(place, (int)Math.Min(_ring.Length - place, End - at));
    }

    private void Grow(int added)
    {
        long wanted = Math.Min(most, Math.Max(First, End - Start + added));
        if (_ring.Length >= wanted)
        {
            return;
        }

        // As long as it grows nothing was lost yet.
        byte[] ring = new byte[Math.Min(most, Math.Max(wanted, 2L * _ring.Length))];
        for (long at = Start; at < End; )
        {
            ReadOnlySpan<byte> part = From(at);
            foreach (byte one in part)
            {
                ring[(int)(at++ % ring.Length)] = one;
            }
        }

        _ring = ring;
    }
}
