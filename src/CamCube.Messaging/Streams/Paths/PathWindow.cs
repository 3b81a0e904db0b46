namespace CamCube.Messaging.Streams.Paths;

/// <summary>
/// How many packets of a path may be under way: doubles per round until the first mark or loss; from then on each round
/// takes the marked and lost part of its packets off by half (RFC 8257 with g = 1) and adds one. A round with losses
/// and
/// no mark never goes below <see cref="LossFloor"/>: what fills queues here marks before it loses.
/// </summary>
internal struct PathWindow()
{
    /// <summary>Packets at the beginning.</summary>
    public const int First = 4;

    /// <summary>At least so many.</summary>
    public const int Least = 2;

    /// <summary>Losses alone do not shrink it below.</summary>
    public const int LossFloor = 32;

    private bool _isSlowStart = true;
    private bool _wasUsedUp;
    private int _arrived;
    private int _lost;
    private int _marked;
    private bool _wasMarked;

    /// <summary>Something was marked in this round or the one before: what is late may well stand in a queue.</summary>
    public readonly bool IsMarked => _wasMarked || _marked > 0;

    /// <summary>Packets that may be under way.</summary>
    public double Packets { get; private set; } = First;

    /// <summary>Number of the packet with whose arrival the round ends.</summary>
    public long RoundEnd { get; private set; }

    public void CountArrived() => _arrived++;

    public void CountLost()
    {
        _lost++;
        _isSlowStart = false;
    }

    public void CountMarked(long packets)
    {
        _marked += (int)packets;
        _isSlowStart &= packets == 0;
    }

    /// <summary>There was more to send than it let through: it may grow.</summary>
    public void NoteUsedUp() => _wasUsedUp = true;

    /// <summary>A round is over; the next ends with this number.</summary>
    public void EndRound(long next)
    {
        RoundEnd = next;
        int packets = _arrived + _lost;
        if (packets == 0)
        {
            return;
        }

        _wasMarked = _marked > 0;

        double share = Math.Min(1.0, (double)(_marked + _lost) / packets),
            before = Packets;
        if (_isSlowStart && share == 0)
        {
            Packets *= _wasUsedUp ? 2 : 1;
        }
        else
        {
            Packets = (Packets * (1 - (share / 2))) + (_wasUsedUp || share > 0 ? 1 : 0);
            if (_marked == 0)
            {
                Packets = Math.Max(Packets, Math.Min(_lost > 0 ? before + 1 : before, LossFloor));
            }

            Packets = Math.Max(Packets, Least);
        }

        (_arrived, _lost, _marked, _wasUsedUp) = (0, 0, 0, false);
    }
}
