namespace CamCube.Swarm.Determinism;

/// <summary>One of the ways in which a seed is run; all must give the same.</summary>
/// <param name="Name">For people.</param>
/// <param name="Threads">Threads that simulate.</param>
/// <param name="IsLogging">Whether everything is logged and recorded.</param>
public sealed record RunVariant(string Name, int Threads, bool IsLogging)
{
    /// <summary>The first number of threads three times, once with logging; each other number once.</summary>
    public static IReadOnlyList<RunVariant> Of(IReadOnlyList<int> threads)
    {
        string first = Count(threads[0]);
        return
        [
            new RunVariant(first, threads[0], false),
            new RunVariant($"{first} again", threads[0], false),
            new RunVariant($"{first} with logging", threads[0], true),
            .. threads.Skip(1).Select(count => new RunVariant(Count(count), count, false)),
        ];
    }

    private static string Count(int threads) => threads == 1 ? "1 thread" : $"{threads} threads";
}
