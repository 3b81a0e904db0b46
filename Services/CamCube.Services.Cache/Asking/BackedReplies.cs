using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache.Asking;

/// <summary>The key-value store's answers to changes in memcached's words. Pure.</summary>
internal static class BackedReplies
{
    /// <summary>What came of a change.</summary>
    public static CacheReply Of(in KeyValueAnswer answer, in CacheTerms terms) =>
        new(
            answer.Status switch
            {
                KeyValueStatus.Done => CacheStatus.Done,
                KeyValueStatus.NotFound => CacheStatus.NotFound,
                KeyValueStatus.Conflict => OfConflict(answer.Version, terms),
                KeyValueStatus.TooLarge => CacheStatus.TooLarge,
                KeyValueStatus.Full => CacheStatus.OutOfMemory,

                // Front ends take a read that timed out for a miss, which this is not.
                KeyValueStatus.Unknown when terms.Operation == CacheOperation.GetAndTouch =>
                    CacheStatus.StoreUnavailable,
                KeyValueStatus.Unknown => CacheStatus.TimedOut,
                KeyValueStatus.NotANumber or KeyValueStatus.Overflow => CacheStatus.NotANumber,
                _ => CacheStatus.StoreUnavailable,
            }
        );

    // The version says why: 0, there is nothing.
    private static CacheStatus OfConflict(ulong version, in CacheTerms terms) =>
        terms.Operation switch
        {
            CacheOperation.Add => CacheStatus.NotStored,
            CacheOperation.Replace or CacheOperation.Append or CacheOperation.Prepend when version == 0 =>
                terms.Operation == CacheOperation.Replace && terms.Cas != 0
                    ? CacheStatus.NotFound
                    : CacheStatus.NotStored,
            _ => version == 0 ? CacheStatus.NotFound : CacheStatus.Exists,
        };
}
