using System.Globalization;
using System.Text;
using CamCube.Histories.Checking;

namespace CamCube.Histories.Recording;

/// <summary>
/// Registers, each under a key, that are written and read: whether all that clients saw could have come about with one
/// operation after the other, each between its beginning and its end (linearizable). One thread.
/// </summary>
/// <param name="nowNanos">The time, in nanoseconds, on a clock that all clients share.</param>
/// <param name="name">What the registers are, for messages.</param>
public sealed class RegisterHistory(Func<long> nowNanos, string name = "registers") : IRecordedHistory
{
    private const int MostTries = 300;
    private const long MostStepsOfTry = 200_000;

    // Of keys behind one that took all of them: those that are easy are decided all the same.
    private const long LeastSteps = 10_000;
    private readonly List<HistoryOperation> _operations = [];
    private readonly HashSet<(string Key, string Value)> _written = [];

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public int Operations => _operations.Count;

    /// <summary>Steps of the search, for all keys together, after which it is not decided. By default a second
    /// or so.</summary>
    public long MostSteps { get; init; } = 2_000_000;

    /// <summary>A client begins to write.</summary>
    /// <param name="client">Its number, for messages.</param>
    /// <param name="key">Which register.</param>
    /// <param name="value">Its new value. Values of a register differ, or nobody could say which one was read.</param>
    /// <exception cref="ArgumentException">The value was written to this register before.</exception>
    public RecordedChange Write(int client, string key, string value)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(value);
        if (!_written.Add((key, value)))
        {
            throw new ArgumentException($"'{value}' was written to '{key}' before: values must differ.", nameof(value));
        }

        int at = Begin(client, key, HistoryKind.Put, value);
        return new RecordedChange(answer => End(at, answer, value));
    }

    /// <summary>A client begins to read; it is told the value, or null: nothing was written.</summary>
    /// <param name="client">Its number, for messages.</param>
    /// <param name="key">Which register.</param>
    public RecordedRead<string> Read(int client, string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        int at = Begin(client, key, HistoryKind.Get, null);
        return new RecordedRead<string>(value =>
            End(at, value is null ? HistoryAnswer.NotFound : HistoryAnswer.Done, value)
        );
    }

    /// <inheritdoc/>
    public HistoryFinding Check()
    {
        // Of a read without an answer nobody knows anything.
        HistoryOperation[] all =
        [
            .. _operations.Where(static o => o.Kind != HistoryKind.Get || o.Answer != HistoryAnswer.Unknown),
        ];
        HistoryFinding? undecided = null;
        long left = MostSteps;
        foreach (IGrouping<string, HistoryOperation> key in all.GroupBy(static o => o.Key, StringComparer.Ordinal))
        {
            HistoryOperation[] own = [.. key];
            HistoryVerdict verdict = LinearizabilityChecker.Check(own, Math.Max(left, LeastSteps));
            left -= verdict.Steps;
            if (verdict.IsLinearizable == false)
            {
                return new HistoryFinding(false, () => Explain(own, verdict));
            }

            undecided ??= verdict.IsLinearizable is null ? Undecided(key.Key, own.Length) : null;
        }

        return undecided ?? HistoryFinding.Good;
    }

    private HistoryFinding Undecided(string key, int operations) =>
        new(
            null,
            () =>
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{name} '{key}': not decided within {MostSteps} steps, of {operations} operations. "
                ) + "Let fewer clients use a key at once, or give more of them an answer."
        );

    private int Begin(int client, string key, HistoryKind kind, string? value)
    {
        _operations.Add(
            new HistoryOperation
            {
                Client = client,
                Key = key,
                Kind = kind,
                Value = value,
                Begin = nowNanos(),
            }
        );
        return _operations.Count - 1;
    }

    private void End(int at, HistoryAnswer answer, string? value) =>
        _operations[at] = _operations[at] with { Answer = answer, Value = value, End = nowNanos() };

    private string Explain(HistoryOperation[] all, HistoryVerdict verdict)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{name} '{verdict.Key}' is not linearizable: no order of these ");
        text.Append("explains all that was seen.");
        foreach (HistoryOperation one in Smallest(Contradiction.Of(all, verdict)))
        {
            text.Append("\n  ").Append(TextOf(one));
        }

        return text.ToString();
    }

    // Reads can be left out, and so can a write whose value nobody reads then: with an order of all there would be one
    // of the others. So all are wrong if what is left is.
    private static HistoryOperation[] Smallest(IReadOnlyList<HistoryOperation> history)
    {
        HistoryOperation[] left = [.. history];
        int tries = 0,
            before;
        do
        {
            before = left.Length;
            for (int size = Math.Max(1, left.Length / 2); size >= 1; size /= 2)
            {
                for (int i = left.Length - size; i >= 0 && tries < MostTries; i -= size, tries++)
                {
                    HistoryOperation[] less = Without(left, i, size);
                    bool isWrong =
                        less.Length < left.Length
                        && LinearizabilityChecker.Check(less, MostStepsOfTry).IsLinearizable == false;
                    left = isWrong ? less : left;
                    i = Math.Min(i, left.Length);
                }
            }
        } while (left.Length < before);

        return left;
    }

    private static HistoryOperation[] Without(HistoryOperation[] all, int from, int count)
    {
        bool IsOut(int at) => at >= from && at < from + count;
        HashSet<string?> read =
        [
            .. all.Where((o, at) => o.Kind == HistoryKind.Get && !IsOut(at)).Select(static o => o.Value),
        ];
        return [.. all.Where((o, at) => !IsOut(at) || (o.Kind == HistoryKind.Put && read.Contains(o.Value)))];
    }

    private static string TextOf(HistoryOperation one)
    {
        string what =
            one.Kind == HistoryKind.Put ? $"wrote '{one.Value}'"
            : one.Value is null ? "read nothing"
            : $"read '{one.Value}'";
        string told = one.Answer == HistoryAnswer.Unknown ? ", was told nothing" : "";
        return $"client {one.Client} {what} {SpanText.Of(one.Begin, told.Length > 0 ? null : one.End)}{told}";
    }
}
