namespace CamCube.Services.Cache.Lending;

/// <summary>
/// For how long a copy may be served. A holder counts from the moment in which it asked for the copy and stops a drift
/// bound early; the root counts from the moment in which it answered, which is later, and waits a drift bound longer.
/// So no common clock is needed.
/// </summary>
/// <param name="Nanos">The lease: 0 if nothing has copies.</param>
/// <param name="DriftNanos">By how much each of two clocks may be wrong over a lease, and how late a server may read
/// its clock.</param>
/// <param name="LargestValue">Bytes of the largest value of which holders keep copies: others get no lease, so changes
/// wait for nobody.</param>
internal readonly record struct Leases(long Nanos, long DriftNanos, int LargestValue)
{
    /// <summary>How long after its last grant a root must have waited before nobody serves that copy any more; 0
    /// without copies.</summary>
    public long WaitNanos => Nanos == 0 ? 0 : Nanos + DriftNanos;

    /// <summary>Bytes of the largest value of which a copy is kept: a larger one would push out many.</summary>
    public static int LargestOf(CacheOptions options) => (int)Math.Min(options.MaxValueLength, options.CopyMemory / 4);

    /// <summary>Leases as the settings say.</summary>
    public static Leases Of(CacheOptions options, bool hasAny) =>
        hasAny
            ? new Leases(
                (long)options.CopyLease.TotalNanoseconds,
                (long)options.CopyDrift.TotalNanoseconds,
                LargestOf(options)
            )
            : default;
}
