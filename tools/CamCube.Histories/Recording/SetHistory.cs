using System.Globalization;

namespace CamCube.Histories.Recording;

/// <summary>
/// A set, a log or a mailbox to which elements are added and from which none is taken: whoever looks finds each that
/// was added before exactly once, each that goes on beside it, or of which nobody knows whether it was done, at most
/// once, and nothing else. Each look is judged alone; in what order it shows them is not looked at. One thread.
/// </summary>
/// <param name="nowNanos">The time, in nanoseconds, on a clock that all clients share.</param>
/// <param name="name">What it is, for messages.</param>
public sealed class SetHistory(Func<long> nowNanos, string name = "set") : IRecordedHistory
{
    private readonly Dictionary<string, Element> _elements = new(StringComparer.Ordinal);
    private readonly List<Sight> _reads = [];
    private int _begun;

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public int Operations => _elements.Count + _begun;

    /// <summary>A client begins to add an element.</summary>
    /// <param name="client">Its number, for messages.</param>
    /// <param name="element">The element; each is added once.</param>
    /// <exception cref="ArgumentException">It was added before.</exception>
    public RecordedChange Add(int client, string element)
    {
        ArgumentNullException.ThrowIfNull(element);
        var one = new Element(client, nowNanos());
        if (!_elements.TryAdd(element, one))
        {
            throw new ArgumentException($"'{element}' was added before: elements must differ.", nameof(element));
        }

        return new RecordedChange(answer => (one.Answer, one.End) = (answer, nowNanos()));
    }

    /// <summary>A client begins to look at all elements.</summary>
    /// <param name="client">Its number, for messages.</param>
    public RecordedRead<IEnumerable<string>> Read(int client)
    {
        long begin = nowNanos();
        _begun++;
        return new RecordedRead<IEnumerable<string>>(all =>
            _reads.Add(new Sight(client, [.. all ?? []], begin, nowNanos()))
        );
    }

    /// <inheritdoc/>
    public HistoryFinding Check()
    {
        foreach (Sight read in _reads)
        {
            if (Judge(read) is { } wrong)
            {
                string told = $"client {read.Client} was shown {read.Elements.Length} elements";
                return new HistoryFinding(false, () => $"{name}: {told} {SpanText.Of(read.Begin, read.End)}. {wrong}");
            }
        }

        return HistoryFinding.Good;
    }

    private string? Judge(Sight read)
    {
        Dictionary<string, int> seen = new(StringComparer.Ordinal);
        foreach (string element in read.Elements)
        {
            int times = seen[element] = seen.GetValueOrDefault(element) + 1;
            if (!_elements.TryGetValue(element, out Element? one))
            {
                return $"Nobody ever added '{element}'.";
            }

            if (one.Answer == HistoryAnswer.Unavailable)
            {
                return $"'{element}' is among them: {one}, and was told that it is not done.";
            }

            if (one.Begin > read.End)
            {
                return $"'{element}' is among them before it was added: {one}.";
            }

            if (times == 2)
            {
                return string.Create(
                    CultureInfo.InvariantCulture,
                    $"'{element}' is there {read.Elements.Count(e => e == element)} times: {one}."
                );
            }
        }

        (string? lost, Element? added) = _elements.FirstOrDefault(e =>
            e.Value.Answer == HistoryAnswer.Done && e.Value.End < read.Begin && !seen.ContainsKey(e.Key)
        );
        return lost is null ? null : $"'{lost}' is not among them: {added}.";
    }

    private sealed class Element(int client, long begin)
    {
        public long Begin => begin;

        public long End { get; set; }

        public HistoryAnswer Answer { get; set; }

        public override string ToString() =>
            Answer == HistoryAnswer.Unknown
                ? $"client {client} began to add it {SpanText.Of(begin, null)}, and was told nothing"
                : $"client {client} added it {SpanText.Of(begin, End)}";
    }

    private sealed record Sight(int Client, string[] Elements, long Begin, long End);
}
