using System.Text;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache;

/// <summary>What <see cref="CacheOptions.Backed"/> may say. Pure.</summary>
internal static class BackedRules
{
    // What the store gives as a whole.
    private const int MostValue = 1 << 20;

    private static readonly string[] Taken =
    [
        ServiceKeys.File,
        ServiceKeys.OpenDirectory,
        ServiceKeys.ShutDirectory,
        ServiceKeys.Chunk,
        ServiceKeys.UsedBytes,
        ServiceKeys.Image,
    ];

    /// <summary>Each mistake in a line that names the setting, the value and what is allowed.</summary>
    public static IEnumerable<string> MistakesOf(CacheOptions options)
    {
        const string Name = nameof(CacheOptions.Backed);
        foreach (string prefix in options.Backed)
        {
            int bytes = Encoding.UTF8.GetByteCount(prefix);
            if (bytes is 0 or > CacheOptions.MaxKeyLength)
            {
                yield return $"{Name} has a prefix of {bytes} bytes; allowed are 1 to {CacheOptions.MaxKeyLength}.";
            }
            else if (Array.Find(Taken, taken => Overlap(prefix, taken)) is { } other)
            {
                yield return $"{Name} has '{prefix}'; keys that begin with '{other}' are other services' in the "
                    + "key-value store, so choose one that begins otherwise.";
            }
        }

        foreach (
            string twice in options.Backed.GroupBy(static p => p).Where(static g => g.Count() > 1).Select(g => g.Key)
        )
        {
            yield return $"{Name} has '{twice}' more than once.";
        }

        if (options.Backed.Count > 0 && options.MaxValueLength > MostValue)
        {
            yield return $"{nameof(CacheOptions.MaxValueLength)} is {options.MaxValueLength}; allowed with {Name} is "
                + $"at most {MostValue}.";
        }
    }

    private static bool Overlap(string one, string other) =>
        one.StartsWith(other, StringComparison.Ordinal) || other.StartsWith(one, StringComparison.Ordinal);
}
