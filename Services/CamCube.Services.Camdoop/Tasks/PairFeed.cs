using CamCube.Services.Camdoop.Vertices;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>All pairs of a reduce, in order, as they come. Loop only.</summary>
internal sealed class PairFeed : IDisposable
{
    private readonly StepSignal _signal = new();
    private readonly RunMerge _merge;

    /// <summary>A feed without runs; they are added.</summary>
    public PairFeed() => _merge = new RunMerge(_signal.Set);

    /// <summary>What is wrong, in words; null: nothing.</summary>
    public string? Wrong { get; private set; }

    /// <summary>No more pairs will come.</summary>
    public bool IsOver => Wrong is not null || _merge.IsOver;

    /// <summary>Adds a run, before anything is taken.</summary>
    public void Add(Func<Action, Action<string>, IRecordRun> begin) => _merge.Add(begin(_merge.OnMore, Fail));

    /// <summary>The next record, if it is here.</summary>
    public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        key = value = default;
        return Wrong is null && _merge.TryPeek(out key, out value);
    }

    /// <summary>Goes on to the next.</summary>
    public void Take() => _merge.Take();

    /// <summary>Set when something changes.</summary>
    public StepSignal Changed => _signal;

    /// <summary>Nobody waits any more.</summary>
    public void Wake() => _signal.Set();

    /// <inheritdoc/>
    public void Dispose() => _merge.Dispose();

    /// <summary>No more can be taken.</summary>
    public void Fail(string words)
    {
        Wrong ??= words;
        _signal.Set();
    }
}
