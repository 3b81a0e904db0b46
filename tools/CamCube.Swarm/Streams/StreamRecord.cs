namespace CamCube.Swarm.Streams;

/// <summary>Both sides of one stream.</summary>
/// <param name="opener">Who opened it.</param>
/// <param name="to">Rank of the server that it was opened to.</param>
public sealed class StreamRecord(StreamSide opener, int to)
{
    private readonly long[] _progress = new long[2];

    /// <summary>Who opened it.</summary>
    public StreamSide Opener => opener;

    /// <summary>The other side; null while it has not heard of it, or if it did not want it.</summary>
    public StreamSide? Acceptor { get; set; }

    /// <summary>Run of the endpoint that was told of it; 0: none was.</summary>
    public ulong AcceptorRun { get; set; }

    /// <summary>Rank of the server that it was opened to.</summary>
    public int To => to;

    /// <summary>When anything has happened last in each direction, from the opener first; virtual time.</summary>
    public long[] ProgressNanos { get; } = new long[2];

    /// <summary>Whether it was reported: once will do.</summary>
    public bool IsReported { get; set; }

    /// <summary>Whether somebody still has it.</summary>
    public bool IsLive { get; set; } = true;

    /// <summary>Looks whether anything has happened.</summary>
    public void Look(long nowNanos)
    {
        long ends = EndsOf(opener) + (Acceptor is { } other ? 1 + EndsOf(other) : 0);
        Look(0, ends + opener.Acknowledged + (Acceptor?.Seen ?? 0), nowNanos);
        Look(1, ends + opener.Seen + (Acceptor?.Acknowledged ?? 0), nowNanos);
    }

    /// <inheritdoc/>
    public override string ToString() =>
        $"stream {opener.Label:x16} to rank {to}: {opener}; {Acceptor?.ToString() ?? "no acceptor"}";

    private static long EndsOf(StreamSide side) => (side.IsGone ? 1 : 0) + (side.End.HasEnded ? 1 : 0);

    private void Look(int direction, long progress, long nowNanos)
    {
        if (progress != _progress[direction] || ProgressNanos[direction] == 0)
        {
            (_progress[direction], ProgressNanos[direction]) = (progress, nowNanos);
        }
    }
}
