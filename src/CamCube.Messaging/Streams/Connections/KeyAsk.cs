namespace CamCube.Messaging.Streams.Connections;

/// <summary>A stream to a key looks for the key's root, until that has answered.</summary>
/// <param name="terms">Of the connections it asks on.</param>
/// <param name="untilNanos">When it gives up.</param>
internal sealed class KeyAsk(ConnectionTerms terms, long untilNanos)
{
    private const long FirstWait = 1_000_000;
    private const int MostDoublings = 4;
    private int _tries;

    public ConnectionTerms Terms => terms;

    public long UntilNanos => untilNanos;

    /// <summary>When it asks again.</summary>
    public long DueNanos { get; private set; }

    /// <summary>Who is root, as the last server that refused knows it.</summary>
    public Coordinate? Hint { get; set; }

    /// <summary>It was refused.</summary>
    public void Wait(long nowNanos) => DueNanos = nowNanos + (FirstWait << Math.Min(_tries++, MostDoublings));
}
