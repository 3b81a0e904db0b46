namespace CamCube;

/// <summary>How work runs off the loop.</summary>
public readonly record struct OffloadOptions
{
    /// <summary>The longest deadline.</summary>
    public static readonly TimeSpan MaxDeadline = TimeSpan.FromDays(1);

    private static readonly TimeSpan ShortDeadline = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongDeadline = TimeSpan.FromMinutes(1);

    /// <summary>Which threads. Default Short.</summary>
    public OffloadClass Class { get; init; }

    /// <summary>Time from the call, waiting included, after which the answer is TimedOut. Zero, the default, means 1 s
    /// for Short and 1 min for Long; at most <see cref="MaxDeadline"/>. Too short: work is thrown away on a busy
    /// machine.</summary>
    public TimeSpan Deadline { get; init; }

    /// <summary>How long it takes in virtual time: worked out from the state by who calls. Not looked at in real time.
    /// Default zero, which is the shortest time there is.</summary>
    public TimeSpan Cost { get; init; }

    /// <summary>The deadline that counts.</summary>
    /// <exception cref="ArgumentOutOfRangeException">An option that means nothing.</exception>
    internal TimeSpan CheckedDeadline()
    {
        if (Class is not (OffloadClass.Short or OffloadClass.Long))
        {
            throw new ArgumentOutOfRangeException(nameof(Class), Class, "Work is Short or Long.");
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(Cost, TimeSpan.Zero, nameof(Cost));
        ArgumentOutOfRangeException.ThrowIfLessThan(Deadline, TimeSpan.Zero, nameof(Deadline));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(Deadline, MaxDeadline, nameof(Deadline));
        return Deadline > TimeSpan.Zero ? Deadline
            : Class == OffloadClass.Short ? ShortDeadline
            : LongDeadline;
    }
}
