namespace CamCube.Topology;

/// <summary>
/// Recent views of one thread, so that all its servers that know the same share one object and its tables: in a
/// simulation of thousands of servers a change is worked out once, not once per server. Bounded: the view that was not
/// asked for longest is forgotten (whoever holds it keeps it). One thread.
/// </summary>
public sealed class CubeViewCache
{
    private readonly CubeView?[] _views;
    private readonly ulong[] _digests;
    private readonly long[] _lastUse;
    private long _uses;

    /// <summary>A cache.</summary>
    /// <param name="capacity">Views kept, at least 1. Default 64: during one failure there are a few dozen. More costs
    /// memory (two bytes per server and 24 per changed server for each view, and tables), less makes servers compute
    /// the same tables again.</param>
    public CubeViewCache(int capacity = 64)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        (_views, _digests, _lastUse) = (new CubeView[capacity], new ulong[capacity], new long[capacity]);
    }

    /// <summary>Views kept now.</summary>
    public int Count { get; private set; }

    /// <summary>Views made because the cache did not have them.</summary>
    public long Made { get; private set; }

    /// <summary><see cref="CubeView.Whole"/>, shared.</summary>
    public CubeView Whole(TorusShape shape) =>
        Find(TorusPlan.For(shape).SeedOf(isCommissioned: true)) ?? Add(CubeView.Whole(shape));

    /// <summary><see cref="CubeView.Empty"/>, shared.</summary>
    public CubeView Empty(TorusShape shape) =>
        Find(TorusPlan.For(shape).SeedOf(isCommissioned: false)) ?? Add(CubeView.Empty(shape));

    /// <summary><see cref="CubeView.With(CubeEntry)"/>, shared.</summary>
    public CubeView With(CubeView view, CubeEntry entry) => With(view, new ReadOnlySpan<CubeEntry>(in entry));

    /// <summary><see cref="CubeView.With(ReadOnlySpan{CubeEntry})"/>, shared.</summary>
    public CubeView With(CubeView view, ReadOnlySpan<CubeEntry> entries)
    {
        CubeEntry[] news = view.NewsOf(entries);
        if (news.Length == 0)
        {
            return view;
        }

        ulong digest = view.DigestWith(news);
        return Find(digest) ?? Add(view.WithNews(news, digest));
    }

    /// <summary><see cref="CubeView.Commissioned"/>, shared.</summary>
    public CubeView Commissioned(CubeView view) =>
        view.IsCommissioned ? view : Find(view.CommissionedDigest) ?? Add(view.Commissioned());

    private CubeView? Find(ulong digest)
    {
        int place = _digests.AsSpan(0, Count).IndexOf(digest);
        if (place < 0)
        {
            return null;
        }

        _lastUse[place] = ++_uses;
        return _views[place];
    }

    private CubeView Add(CubeView view)
    {
        int place = Count;
        if (Count == _views.Length)
        {
            place = 0;
            for (int i = 1; i < Count; i++)
            {
                place = _lastUse[i] < _lastUse[place] ? i : place;
            }
        }
        else
        {
            Count++;
        }

        Made++;
        (_views[place], _digests[place], _lastUse[place]) = (view, view.Digest, ++_uses);
        return view;
    }
}
