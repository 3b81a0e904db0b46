namespace CamCube.Trees;

/// <summary>What some pulls of a server took together, as those of one job: whoever pulls gives it along in
/// <see cref="PullTerms"/>. Bytes count when they are consumed, so each byte of an answer once, whatever broke off
/// before. Loop only; reading allocates nothing.</summary>
public sealed class PullTally
{
    private readonly long[] _links = new long[Links.Cables];

    /// <summary>Bytes that came on a tree's own cable.</summary>
    /// <param name="link">The cable, seen from who pulls.</param>
    public long OfLink(Link link) => _links[(int)link];

    /// <summary>Bytes of vertices that the server plays itself: they crossed no cable.</summary>
    public long Here { get; private set; }

    /// <summary>Bytes that came by all link-disjoint paths, over one cable or several: the vertex was played elsewhere,
    /// or is no neighbour's.</summary>
    public long Detoured { get; private set; }

    /// <summary>Streams that were opened.</summary>
    public long Opened { get; private set; }

    /// <summary>Of these, those of pulls that had broken off.</summary>
    public long Again { get; private set; }

    internal void Open(bool isAgain)
    {
        Opened++;
        Again += isAgain ? 1 : 0;
    }

    internal void Take(Link? via, bool isHere, int count)
    {
        if (via is { } link)
        {
            _links[(int)link] += count;
        }
        else if (isHere)
        {
            Here += count;
        }
        else
        {
            Detoured += count;
        }
    }
}
