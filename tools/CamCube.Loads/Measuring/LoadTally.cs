using CamCube.Loads.Choosing;

namespace CamCube.Loads.Measuring;

/// <summary>What came of operations. One thread adds; <see cref="Done"/> and <see cref="Failed"/> may be read by
/// any.</summary>
public sealed class LoadTally
{
    private const int Kinds = (int)OperationKind.Delete + 1;

    // A server may say other words each time.
    private const int MostErrors = 64;
    private readonly LatencyHistogram?[] _times = new LatencyHistogram?[Kinds];
    private readonly Dictionary<string, long>?[] _errors = new Dictionary<string, long>?[Kinds];
    private long _done;
    private long _failed;

    /// <summary>Operations that were done.</summary>
    public long Done => Volatile.Read(ref _done);

    /// <summary>Operations that were not, or nobody knows it.</summary>
    public long Failed => Volatile.Read(ref _failed);

    /// <summary>One was done.</summary>
    public void Add(OperationKind kind, long nanos)
    {
        (_times[(int)kind] ??= new LatencyHistogram()).Add(nanos);
        Volatile.Write(ref _done, _done + 1);
    }

    /// <summary>One failed.</summary>
    /// <param name="kind">What it was.</param>
    /// <param name="error">The kind of failure, one word.</param>
    public void Fail(OperationKind kind, ReadOnlySpan<char> error)
    {
        Dictionary<string, long> errors = _errors[(int)kind] ??= new(StringComparer.Ordinal);
        Dictionary<string, long>.AlternateLookup<ReadOnlySpan<char>> byWord = errors.GetAlternateLookup<
            ReadOnlySpan<char>
        >();
        ReadOnlySpan<char> word = errors.Count < MostErrors || byWord.ContainsKey(error) ? error : "others";
        byWord[word] = byWord.TryGetValue(word, out long count) ? count + 1 : 1;
        Volatile.Write(ref _failed, _failed + 1);
    }

    /// <summary>Adds all of another, which nobody adds to any more.</summary>
    public void Add(LoadTally other)
    {
        for (int kind = 0; kind < Kinds; kind++)
        {
            if (other._times[kind] is { } times)
            {
                (_times[kind] ??= new LatencyHistogram()).Add(times);
            }

            foreach ((string error, long count) in other._errors[kind] ?? [])
            {
                Dictionary<string, long> errors = _errors[kind] ??= new(StringComparer.Ordinal);
                errors[error] = errors.GetValueOrDefault(error) + count;
            }
        }

        (_done, _failed) = (_done + other.Done, _failed + other.Failed);
    }

    /// <summary>How long operations of a kind took; null: none was done.</summary>
    public LatencyHistogram? Times(OperationKind kind) => _times[(int)kind];

    /// <summary>A row for each kind of which there was one.</summary>
    /// <param name="seconds">In which all were done.</param>
    public IReadOnlyList<OperationRow> Rows(double seconds)
    {
        List<OperationRow> rows = [];
        for (int kind = 0; kind < Kinds; kind++)
        {
            if (_times[kind] is null && _errors[kind] is null)
            {
                continue;
            }

            LatencyHistogram times = _times[kind] ?? new LatencyHistogram();
            rows.Add(
                new OperationRow(
                    OperationMix.NameOf((OperationKind)kind),
                    times.Count,
                    times.Count / Math.Max(seconds, 1e-9),
                    times.MeanNanos / 1e3,
                    times.At(0.5) / 1e3,
                    times.At(0.95) / 1e3,
                    times.At(0.99) / 1e3,
                    times.At(0.999) / 1e3,
                    times.MaxNanos / 1e3,
                    (_errors[kind] ?? []).OrderBy(one => one.Key, StringComparer.Ordinal).ToDictionary()
                )
            );
        }

        return rows;
    }
}
