using System.Buffers;

namespace CamCube.Workers;

/// <summary>
/// Requests that killed a worker, by length and SHA-256: bounded, the oldest forgotten for a newer one. A request is
/// hashed only if one of its length is known, so that sound ones cost nothing. Its owner says which thread is in it.
/// </summary>
/// <param name="limit">How many.</param>
/// <param name="keptFor">How long each.</param>
internal sealed class KillerMemory(int limit, TimeSpan keptFor)
{
    private readonly LinkedList<(Killer Killer, long Nanos)> _byAge = new();
    private readonly HashSet<Killer> _known = [];
    private readonly Dictionary<long, int> _lengths = [];

    /// <summary>How many are remembered.</summary>
    public int Count => _known.Count;

    /// <summary>Whether one of this length is remembered: only then is it worth to hash it.</summary>
    /// <param name="length">Bytes of it.</param>
    /// <param name="nowNanos">The time.</param>
    public bool KnowsLength(long length, long nowNanos)
    {
        Forget(nowNanos);
        return _lengths.ContainsKey(length);
    }

    /// <summary>Whether the request killed a worker.</summary>
    public bool Knows(ReadOnlySequence<byte> subject, long nowNanos) =>
        KnowsLength(subject.Length, nowNanos) && Knows(Killer.Of(subject));

    /// <summary>As above, of a request that was hashed already.</summary>
    public bool Knows(Killer request) => _known.Contains(request);

    /// <summary>Remembers it.</summary>
    public void Add(ReadOnlySequence<byte> subject, long nowNanos) => Add(Killer.Of(subject), nowNanos);

    /// <summary>As above, of a request that was hashed already.</summary>
    public void Add(Killer killer, long nowNanos)
    {
        if (limit == 0 || killer.Length == 0 || !_known.Add(killer))
        {
            return;
        }

        _byAge.AddLast((killer, nowNanos));
        _lengths[killer.Length] = _lengths.GetValueOrDefault(killer.Length) + 1;
        if (_known.Count > limit)
        {
            ForgetOldest();
        }
    }

    private void Forget(long nowNanos)
    {
        long before = nowNanos - (keptFor.Ticks * 100);
        while (_byAge.First is { } oldest && oldest.Value.Nanos < before)
        {
            ForgetOldest();
        }
    }

    private void ForgetOldest()
    {
        Killer oldest = _byAge.First!.Value.Killer;
        _byAge.RemoveFirst();
        _known.Remove(oldest);
        if (--_lengths[oldest.Length] == 0)
        {
            _lengths.Remove(oldest.Length);
        }
    }
}
