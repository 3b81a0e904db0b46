using CamCube.Topology;

namespace CamCube.Runtime.Core;

/// <summary>
/// What a server knows about one of its cables and the neighbour at the other end. Data with its own invariants; no
/// decisions.
/// </summary>
internal sealed class NeighbourLink(Link link, Coordinate neighbour, uint firstNumber)
{
    private const int MostInFlight = 4;
    private readonly Batch[] _inFlight = new Batch[MostInFlight];
    private int _inFlightCount;
    private uint _number = firstNumber;
    private uint _downNumber = firstNumber;
    private uint _doubtNumber;

    /// <summary>The link.</summary>
    public Link Link { get; } = link;

    /// <summary>Who is at the other end.</summary>
    public Coordinate Neighbour { get; } = neighbour;

    /// <summary>How far the two have got.</summary>
    public LinkPhase Phase { get; set; }

    /// <summary>Whether this server hears the neighbour now.</summary>
    public bool Hears { get; set; }

    /// <summary>
    /// Up because the cube was commissioned, not because anybody was heard: ends with the first proof for or against
    /// it.
    /// </summary>
    public bool IsAssumed { get; set; }

    /// <summary>A packet is due: a heartbeat, an acknowledgement, or news about this very link.</summary>
    public bool MustSend { get; set; }

    /// <summary>
    /// This server stood still, and the neighbour has not said since that it hears it. Not while the link is down.
    /// </summary>
    public bool IsDoubted { get; private set; }

    /// <summary>The neighbour's entries are all here, since the exchange began.</summary>
    public bool HasComplete { get; set; }

    /// <summary>The neighbour's run; 0 = never heard.</summary>
    public ulong Incarnation { get; set; }

    /// <summary>When the last packet of that run came.</summary>
    public long HeardNanos { get; set; }

    /// <summary>Number of the last packet of that run.</summary>
    public uint HeardNumber { get; set; }

    /// <summary>Number of its last batch; 0 = none.</summary>
    public uint HeardBatch { get; set; }

    /// <summary>The neighbour's last entry when this server, seeing the majority, last lost it; null = never.</summary>
    public CubeEntry? Lost { get; set; }

    /// <summary>The neighbour has all up to this stamp of the log.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>The neighbour has not yet acknowledged the batch that ends this server's entries.</summary>
    public bool OwesComplete { get; private set; }

    /// <summary>Up to which stamp the last batch went.</summary>
    public long SentEnd { get; private set; }

    /// <summary>
    /// The last batch did not have room for all: the next waits for its acknowledgement, so that the order is kept.
    /// </summary>
    public bool IsTruncated { get; private set; }

    /// <summary>When the last batch was sent.</summary>
    public long SentNanos { get; private set; }

    /// <summary>
    /// Since when the neighbour's view differs although neither has anything to say; long.MinValue = it does not.
    /// </summary>
    public long DiffersSince { get; set; } = long.MinValue;

    /// <summary>Whether a batch waits for its acknowledgement.</summary>
    public bool IsAwaiting => _inFlightCount > 0;

    /// <summary>Whether another batch may be sent before the earlier ones are acknowledged.</summary>
    public bool HasWindow => _inFlightCount < MostInFlight;

    /// <summary>Whether a batch that ends this server's entries is on its way.</summary>
    public bool IsCompleteInFlight
    {
        get
        {
            for (int i = 0; i < _inFlightCount; i++)
            {
                if (_inFlight[i].IsComplete)
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>The number of the next packet.</summary>
    public uint NextNumber() => ++_number == 0 ? ++_number : _number;

    /// <summary>Everything known is to be sent again, up to an end that the neighbour must acknowledge.</summary>
    public void BeginExchange()
    {
        (Acknowledged, SentEnd, _inFlightCount, DiffersSince) = (0, 0, 0, long.MinValue);
        OwesComplete = true;
    }

    /// <summary>The end of this server's entries means more than before: say it again.</summary>
    public void RepeatComplete()
    {
        OwesComplete = true;
        for (int i = 0; i < _inFlightCount; i++)
        {
            _inFlight[i] = _inFlight[i] with { IsComplete = false };
        }
    }

    /// <summary>The link is down from now on, if it was not; nothing is on its way any more.</summary>
    public void TakeDown()
    {
        if (Phase == LinkPhase.Down)
        {
            return;
        }

        (Phase, IsAssumed, MustSend) = (LinkPhase.Down, false, true);
        (_inFlightCount, OwesComplete, DiffersSince) = (0, false, long.MinValue);
        (IsDoubted, HasComplete, _downNumber) = (false, false, _number);
    }

    /// <summary>This server stood still: what the neighbour said before, and what waited in queues since, counts for
    /// nothing.</summary>
    public void Doubt()
    {
        (IsDoubted, _doubtNumber, MustSend) = (Phase != LinkPhase.Down, _number, true);
        _downNumber = IsDoubted ? _downNumber : _number;
    }

    /// <summary>The neighbour has heard this packet of ours.</summary>
    public void Prove(uint heard) => IsDoubted &= (int)(heard - _doubtNumber) <= 0;

    /// <summary>
    /// Whether who heard this packet of ours heard one that left after the link went down. What the neighbour said
    /// before, and what may have waited in queues since, brings no link up.
    /// </summary>
    public bool IsSinceDown(uint heard) => (int)(heard - _downNumber) > 0;

    public void Sent(uint number, long end, bool isComplete, bool isTruncated, long nowNanos)
    {
        if (_inFlightCount == MostInFlight)
        {
            Forget(1);
        }

        _inFlight[_inFlightCount++] = new Batch(number, end, isComplete);
        (SentEnd, IsTruncated, SentNanos) = (end, isTruncated, nowNanos);
    }

    /// <summary>
    /// The neighbour has this batch. Each batch begins where acknowledgements ended when it was sent, so the earlier
    /// ones do not matter any more, and a later one may still be on its way.
    /// </summary>
    public void Acknowledge(uint number)
    {
        for (int i = 0; i < _inFlightCount; i++)
        {
            Batch batch = _inFlight[i];
            if (batch.Number == number)
            {
                Acknowledged = Math.Max(Acknowledged, batch.End);
                OwesComplete &= !batch.IsComplete;
                Forget(i + 1);
                return;
            }
        }
    }

    private void Forget(int oldest)
    {
        _inFlightCount -= oldest;
        Array.Copy(_inFlight, oldest, _inFlight, 0, _inFlightCount);
    }

    private readonly record struct Batch(uint Number, long End, bool IsComplete);
}
