namespace CamCube.Chaos.Jobs;

/// <summary>How a job has ended.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Seconds">How long it took.</param>
/// <param name="Files">SHA-256 of the files of its output, by name.</param>
/// <param name="Counters">Its counters, by group and name.</param>
/// <param name="Attempts">Attempts at its map tasks and reduces that were given, and were lost with servers, in
/// words.</param>
/// <param name="Words">Why it has failed; null: it has not.</param>
public sealed record JobEnd(
    string Name,
    double Seconds,
    IReadOnlyDictionary<string, string> Files,
    IReadOnlyDictionary<string, long> Counters,
    string Attempts,
    string? Words
)
{
    /// <summary>What is not as in the undisturbed job, a line each.</summary>
    public IEnumerable<string> Differences(JobEnd undisturbed)
    {
        ArgumentNullException.ThrowIfNull(undisturbed);
        if (Words is not null)
        {
            return [$"{Name} has failed: {Words}"];
        }

        return
        [
            .. Differences(Files, undisturbed.Files).Select(file => $"{Name}: {file} is not as undisturbed"),
            .. Differences(Counters, undisturbed.Counters)
                .Select(counter =>
                    $"{Name}: counter {counter} is {Counters.GetValueOrDefault(counter):N0} and undisturbed "
                    + $"{undisturbed.Counters.GetValueOrDefault(counter):N0}"
                ),
        ];
    }

    private static IEnumerable<string> Differences<T>(
        IReadOnlyDictionary<string, T> here,
        IReadOnlyDictionary<string, T> there
    ) =>
        here
            .Keys.Union(there.Keys)
            .Where(name =>
                !here.TryGetValue(name, out T? one)
                || !there.TryGetValue(name, out T? other)
                || !EqualityComparer<T>.Default.Equals(one, other)
            )
            .Order(StringComparer.Ordinal);
}
