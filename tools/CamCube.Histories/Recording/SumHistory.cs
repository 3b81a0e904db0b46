using System.Globalization;
using System.Text;

namespace CamCube.Histories.Recording;

/// <summary>
/// A sum of contributions, each of which counts exactly once: what was done before somebody began to read counts, what
/// goes on beside the read, or of which nobody knows whether it was done, counts once or not, everything else not at
/// all. Each read is looked at alone. One thread.
/// </summary>
/// <param name="nowNanos">The time, in nanoseconds, on a clock that all clients share.</param>
/// <param name="name">What is summed, for messages.</param>
public sealed class SumHistory(Func<long> nowNanos, string name = "sum") : IRecordedHistory
{
    private const int MostShown = 12;
    private const int MostHard = 8;
    private readonly List<Contribution> _contributions = [];
    private readonly List<Sight> _reads = [];
    private int _begun;

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public int Operations => _contributions.Count + _begun;

    /// <summary>Different sums of uncertain contributions that are looked at for one read, and some times as many for
    /// all, beyond which it is not decided. Equal contributions make few sums, powers of two as many as can
    /// be.</summary>
    public int MostSums { get; init; } = 1_000_000;

    /// <summary>A client begins to contribute.</summary>
    /// <param name="client">Its number, for messages.</param>
    /// <param name="by">By how much; contributions that all differ make messages that say which one is wrong.</param>
    public RecordedChange Add(int client, long by)
    {
        var one = new Contribution(client, by, nowNanos());
        _contributions.Add(one);
        return new RecordedChange(answer => (one.Answer, one.End) = (answer, nowNanos()));
    }

    /// <summary>A client begins to ask for the sum.</summary>
    /// <param name="client">Its number, for messages.</param>
    public RecordedRead<long> Read(int client)
    {
        long begin = nowNanos();
        _begun++;
        return new RecordedRead<long>(sum => _reads.Add(new Sight(client, sum, begin, nowNanos())));
    }

    /// <inheritdoc/>
    public HistoryFinding Check()
    {
        string? undecided = null;
        long left = (long)MostSums * MostHard;
        foreach (Sight read in _reads)
        {
            Contribution[] certain = [.. _contributions.Where(c => IsCertain(c, read))],
                open = [.. _contributions.Where(c => c.By != 0 && IsOpen(c, read))];
            Int128 missing = read.Sum - Total(certain);
            switch (IsSumOfSome(open, missing, ref left))
            {
                case false:
                    return new HistoryFinding(false, () => Explain(read, certain, open, missing));
                case null:
                    undecided ??=
                        $"{name}: not decided whether client {read.Client} was told a right sum "
                        + $"{SpanText.Of(read.Begin, read.End)}: {open.Length} contributions may count or not, in more "
                        + $"than {MostSums} sums. Let contributions be alike, or give more of them an answer.";
                    break;
            }
        }

        return undecided is null ? HistoryFinding.Good : new HistoryFinding(null, () => undecided);
    }

    private static bool IsCertain(Contribution one, Sight read) =>
        one.Answer == HistoryAnswer.Done && one.End < read.Begin;

    private static bool IsOpen(Contribution one, Sight read) =>
        one.Answer != HistoryAnswer.Unavailable && one.Begin <= read.End && !IsCertain(one, read);

    private static Int128 Total(IEnumerable<Contribution> some) =>
        some.Aggregate((Int128)0, static (sum, one) => sum + one.By);

    // Whether some of them make this sum. Equal ones are taken together: so many of them are in it.
    private bool? IsSumOfSome(Contribution[] open, Int128 sum, ref long left)
    {
        if (sum < Total(open.Where(static o => o.By < 0)) || sum > Total(open.Where(static o => o.By > 0)))
        {
            return false;
        }

        HashSet<Int128> sums = [0];
        foreach (IGrouping<long, Contribution> alike in open.GroupBy(static o => o.By))
        {
            int count = alike.Count();
            long work = (long)sums.Count * count;
            if (work > Math.Min(left, 4L * MostSums))
            {
                return null;
            }

            left -= work;
            Int128[] before = [.. sums];
            for (int i = 1; i <= count; i++)
            {
                Int128 more = (Int128)alike.Key * i;
                foreach (Int128 one in before)
                {
                    sums.Add(one + more);
                }
            }

            if (sums.Count > MostSums)
            {
                return null;
            }
        }

        return sums.Contains(sum);
    }

    private string Explain(Sight read, Contribution[] certain, Contribution[] open, Int128 missing)
    {
        Int128 must = Total(certain),
            least = must + Total(open.Where(static o => o.By < 0)),
            most = must + Total(open.Where(static o => o.By > 0));
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{name}: client {read.Client} was told {read.Sum} ");
        text.Append(CultureInfo.InvariantCulture, $"{SpanText.Of(read.Begin, read.End)}. {certain.Length} ");
        text.Append(CultureInfo.InvariantCulture, $"contributions that were done before make {must}");
        text.Append(
            open.Length == 0 ? "."
            : least == most ? $"; {open.Length} more may count or not."
            : $"; with {open.Length} that may count or not it is from {least} to {most}."
        );

        // The most likely cause: one of them is counted twice, or not at all.
        Contribution? twice = Array.Find(certain, c => c.By == missing),
            never = Array.Find(certain, c => c.By == -missing);
        if ((twice ?? never) is { } guess)
        {
            string how = twice is null ? "not counted" : "counted twice";
            return text.Append(CultureInfo.InvariantCulture, $"\n  As if this one were {how}: {guess}").ToString();
        }

        IEnumerable<Contribution> shown = open.Concat(certain.OrderByDescending(static c => c.End)).Take(MostShown);
        foreach (Contribution one in shown.OrderBy(static c => c.Begin))
        {
            text.Append("\n  ").Append(one);
        }

        int left = certain.Length + open.Length - MostShown;
        return left > 0
            ? text.Append(CultureInfo.InvariantCulture, $"\n  and {left} more").ToString()
            : text.ToString();
    }

    private sealed class Contribution(int client, long by, long begin)
    {
        public long By => by;

        public long Begin => begin;

        public long End { get; set; }

        public HistoryAnswer Answer { get; set; }

        public override string ToString() =>
            Answer == HistoryAnswer.Unknown
                ? $"client {client} added {by} {SpanText.Of(begin, null)}, was told nothing"
                : $"client {client} added {by} {SpanText.Of(begin, End)}";
    }

    private sealed record Sight(int Client, long Sum, long Begin, long End);
}
