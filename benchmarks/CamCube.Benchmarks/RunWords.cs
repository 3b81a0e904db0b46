using System.Globalization;

namespace CamCube.Benchmarks;

/// <summary>What is said to a run that has parts, and rounds of them.</summary>
internal sealed class RunWords
{
    private const int MostRounds = 1_000;
    private const string RoundsWord = "rounds=";
    private readonly string[] _wanted;

    private RunWords(string[] wanted, int rounds) => (_wanted, Rounds) = (wanted, rounds);

    /// <summary>How often each is measured.</summary>
    public int Rounds { get; }

    /// <summary>Reads them. Null: they are none of these, and how to say it was printed.</summary>
    /// <param name="run">Its name.</param>
    /// <param name="args">What was said.</param>
    /// <param name="rounds">Where nothing is said.</param>
    /// <param name="parts">Their names.</param>
    public static RunWords? Read(string run, string[] args, int rounds, params string[] parts)
    {
        string[] wanted = [.. args.Where(word => !word.StartsWith(RoundsWord, StringComparison.Ordinal))];
        string? given = args.FirstOrDefault(word => word.StartsWith(RoundsWord, StringComparison.Ordinal));
        bool isWrong =
            given is not null
            && !(
                int.TryParse(given[RoundsWord.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out rounds)
                && rounds is > 0 and <= MostRounds
            );
        if (!isWrong && !wanted.Except(parts).Any())
        {
            return new RunWords(wanted, rounds);
        }

        Console.Error.WriteLine(
            $"usage: {run} {string.Join(' ', parts.Select(part => $"[{part}]"))} [{RoundsWord}1..{MostRounds}]"
        );
        return null;
    }

    /// <summary>Whether a part is to be run: it was named, or none was.</summary>
    public bool Has(string part) => _wanted.Length == 0 || _wanted.Contains(part);
}
