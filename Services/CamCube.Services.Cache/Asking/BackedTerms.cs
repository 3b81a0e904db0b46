using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache.Asking;

/// <summary>What may be asked of a key that the key-value store keeps, and in the store's words. Pure but for the clock
/// that it is given.</summary>
internal static class BackedTerms
{
    // What leaves no trace here: the store knows no use, and no item of it is ever stale.
    private const CacheTermOptions WithoutEffect =
        CacheTermOptions.BinaryKey | CacheTermOptions.KeepAge | CacheTermOptions.WinStale;

    /// <summary>Whether a copy may answer it.</summary>
    public static bool IsPlainRead(in CacheTerms terms) =>
        terms.Operation == CacheOperation.Get && (terms.Options & ~WithoutEffect) == 0;

    /// <summary>Whether it asks for facts only.</summary>
    public static bool IsLook(in CacheTerms terms) =>
        terms.Operation == CacheOperation.Inspect
        || (
            terms.Operation == CacheOperation.Get
            && (terms.Options & ~(WithoutEffect | CacheTermOptions.WithoutValue)) == 0
        );

    /// <summary>Whether it can be done at all: the store has no marks, so nobody wins an item, and none is
    /// stale.</summary>
    public static bool IsPossible(in CacheTerms terms)
    {
        const CacheTermOptions Marks = CacheTermOptions.Recache | CacheTermOptions.Invalidate;
        bool isRead = terms.Operation is CacheOperation.Get or CacheOperation.GetAndTouch;
        return (terms.Options & Marks) == 0 && (!isRead || (terms.Options & CacheTermOptions.Vivify) == 0);
    }

    /// <summary>What the terms ask of a change that is not told otherwise by its operation.</summary>
    public static KeyValueCondition ConditionOf(in CacheTerms terms, KeyValueCondition otherwise) =>
        terms.Cas != 0 || terms.Operation == CacheOperation.CompareAndSwap
            ? KeyValueCondition.Is(terms.Cas)
            : otherwise;

    /// <summary>How long a value is there by memcached's number. Null: until it is deleted.</summary>
    /// <param name="expiry">The number.</param>
    /// <param name="time">The wall clock, for times of day.</param>
    /// <param name="isOver">It is over at once.</param>
    public static TimeSpan? LifeOf(long expiry, TimeProvider time, out bool isOver)
    {
        const long MostRelative = 60 * 60 * 24 * 30;
        isOver = expiry < 0;
        if (expiry <= 0 || expiry > uint.MaxValue)
        {
            return null;
        }

        if (expiry <= MostRelative)
        {
            return TimeSpan.FromSeconds(expiry);
        }

        TimeSpan left = DateTimeOffset.FromUnixTimeSeconds(expiry) - time.GetUtcNow();
        isOver = left <= TimeSpan.Zero;
        return isOver ? null : left;
    }
}
