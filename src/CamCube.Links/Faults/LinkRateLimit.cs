namespace CamCube.Faults;

/// <summary>A slower link: it takes packets at this rate and no faster (its own rate is the limit if that is
/// lower).</summary>
public sealed record LinkRateLimit : LinkFault
{
    private readonly long _picosPerByte;

    /// <summary>Limits the rate.</summary>
    /// <param name="bitsPerSecond">From 1,000.</param>
    public LinkRateLimit(long bitsPerSecond)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bitsPerSecond, 1_000);
        BitsPerSecond = bitsPerSecond;
        _picosPerByte = Math.Max(1, 8_000_000_000_000 / bitsPerSecond);
    }

    /// <summary>Bits per second.</summary>
    public long BitsPerSecond { get; }

    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage) =>
        decision.BusyNanos = Math.Max(decision.BusyNanos, passage.Packet.WireLength * _picosPerByte / 1_000);
}
