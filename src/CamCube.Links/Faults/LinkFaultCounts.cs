namespace CamCube.Faults;

/// <summary>What fault rules have done, in packets.</summary>
/// <param name="Lost">Lost by chance or by choice.</param>
/// <param name="Cut">Lost on links that were cut by a rule, flapping ones too.</param>
/// <param name="Garbled">Corrupted so that no receiver could read them: lost.</param>
/// <param name="Corrupted">Corrupted and carried on.</param>
/// <param name="Duplicated">Copies made.</param>
/// <param name="Delayed">Carried later, in order.</param>
/// <param name="HeldBack">Carried later, so that others may overtake.</param>
/// <param name="Slowed">Occupied their link longer.</param>
/// <param name="Overflowed">Lost because a real link's store of packets held back was full, or was closed.</param>
public readonly record struct LinkFaultCounts(
    long Lost,
    long Cut,
    long Garbled,
    long Corrupted,
    long Duplicated,
    long Delayed,
    long HeldBack,
    long Slowed,
    long Overflowed
)
{
    /// <summary>All packets that did not arrive because of rules.</summary>
    public long AllLost => Lost + Cut + Garbled + Overflowed;

    /// <summary>Sums, kind by kind.</summary>
    public static LinkFaultCounts operator +(LinkFaultCounts a, LinkFaultCounts b) =>
        new(
            a.Lost + b.Lost,
            a.Cut + b.Cut,
            a.Garbled + b.Garbled,
            a.Corrupted + b.Corrupted,
            a.Duplicated + b.Duplicated,
            a.Delayed + b.Delayed,
            a.HeldBack + b.HeldBack,
            a.Slowed + b.Slowed,
            a.Overflowed + b.Overflowed
        );
}
