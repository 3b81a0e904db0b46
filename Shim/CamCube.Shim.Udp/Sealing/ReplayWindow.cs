namespace CamCube.Shim.Udp.Sealing;

/// <summary>
/// Which of the last <see cref="Size"/> counters of a key were taken already: each is taken once, older ones never (as
/// in RFC 4303, with the bitmap as a ring, RFC 6479). Not thread-safe.
/// </summary>
internal sealed class ReplayWindow
{
    /// <summary>How far behind the largest counter another may come and still be taken.</summary>
    public const int Size = 2_048;

    private const int Words = (Size / 64) + 1;
    private readonly ulong[] _taken = new ulong[Words];

    /// <summary>One more than the largest counter so far; 0 before the first.</summary>
    private ulong _end;

    /// <summary>Whether the counter was not taken yet and is not too old. Changes nothing: a counter is only taken once
    /// its frame is known to be genuine.</summary>
    public bool IsNew(ulong counter)
    {
        if (counter >= _end)
        {
            return counter != ulong.MaxValue;
        }

        return _end - counter <= Size && (_taken[WordOf(counter)] >> (int)(counter & 63) & 1) == 0;
    }

    /// <summary>Takes a counter that <see cref="IsNew"/>.</summary>
    public void Take(ulong counter)
    {
        if (counter >= _end)
        {
            // The words between the old end and the new one are left over from a round before.
            ulong first = _end == 0 ? 0 : ((_end - 1) >> 6) + 1,
                last = counter >> 6;
            if (last >= first && last - first >= Words)
            {
                first = last - Words + 1;
            }

            for (ulong word = first; word <= last; word++)
            {
                _taken[word % Words] = 0;
            }

            _end = counter + 1;
        }

        _taken[WordOf(counter)] |= 1UL << (int)(counter & 63);
    }

    private static int WordOf(ulong counter) => (int)((counter >> 6) % Words);
}
