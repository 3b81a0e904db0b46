namespace CamCube.Services.KeyValue.Members;

/// <summary>Of one group, times by this server's clock (<see cref="IServerLoop.ReadClock"/>).</summary>
internal sealed class Lease
{
    /// <summary>Until then nobody else than the leader is voted for.</summary>
    public long HoldNanos { get; set; }

    /// <summary>Until then this server, leading, may answer reads without asking.</summary>
    public long UntilNanos { get; set; } = long.MinValue;

    /// <summary>What the clock showed with the last of its reads.</summary>
    public long EarlierNanos { get; set; }

    /// <summary>It did so since that was asked for last.</summary>
    public bool IsUsed { get; set; }

    /// <summary>Rounds that are not confirmed, and when they were begun.</summary>
    public Queue<(ulong Round, long Nanos)> Rounds { get; } = new();
}
