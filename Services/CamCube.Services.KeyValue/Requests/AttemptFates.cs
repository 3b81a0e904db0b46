namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// What became of the attempts of one request. One of which nothing was heard may be on its way, and be done whenever
/// it arrives, unless an attempt behind the first was refused: that is written down by who leads.
/// </summary>
internal struct AttemptFates
{
    // By the last bits of their numbers: of more than 64 the oldest are forgotten as unknown.
    private const int Most = 64;
    private ulong _open;
    private bool _isUncertain;

    /// <summary>Whether all attempts have come to nothing, or to what was heard.</summary>
    public readonly bool AreKnown => _open == 0 && !_isUncertain;

    /// <summary>The number of the next attempt: only the first has number 1.</summary>
    public static byte After(byte attempt) => attempt == byte.MaxValue ? (byte)2 : (byte)(attempt + 1);

    /// <summary>An attempt is sent.</summary>
    public void Begin(byte attempt)
    {
        ulong bit = 1UL << (attempt % Most);
        _isUncertain |= (_open & bit) != 0;
        _open |= bit;
    }

    /// <summary>Somebody said something to an attempt: after that nobody does it any more.</summary>
    public void End(in AttemptReply said)
    {
        _open &= ~(1UL << (said.Attempt % Most));
        _isUncertain |= said.IsUncertain;
    }
}
