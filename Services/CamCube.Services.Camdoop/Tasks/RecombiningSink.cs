using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Records;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Takes what a combiner that is a program makes of a run, and makes a run of it. See <see cref="MapSink"/>
/// for threads.</summary>
internal sealed class RecombiningSink : MapSink
{
    private readonly PairSorter _sorter;
    private readonly PairMaker _maker;
    private readonly LineCutter _lines;

    /// <summary>For one run.</summary>
    /// <param name="job">The job.</param>
    /// <param name="functions">Its functions in C#; null: it has none.</param>
    public RecombiningSink(Job job, FunctionSet? functions)
    {
        // One run becomes one, even if the program makes more of it than it was.
        var limits = new SortLimits(Array.MaxLength / 2, job.Limits.MostRecord);
        _sorter = new PairSorter(job.Groups, limits, combiner: null);
        _maker = new PairMaker(job.Description, _sorter, functions);
        _lines = new LineCutter(job.Limits.MostRecord, _maker.Line);
    }

    /// <inheritdoc/>
    public override string? Wrong => _sorter.Wrong ?? _lines.Wrong ?? _maker.Wrong;

    /// <summary>Pairs that came.</summary>
    public long Pairs => _sorter.Pairs;

    /// <summary>The run; without pairs if the program gave none.</summary>
    public SortedRun ToRun() => _sorter.Take() ?? new SortedRun([], []);

    /// <inheritdoc/>
    public override void Pair(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) => _maker.Pair(key, value);

    /// <inheritdoc/>
    public override void Text(ReadOnlySpan<byte> text) => _lines.Add(text);

    /// <inheritdoc/>
    public override void Complete()
    {
        _lines.Complete();
        _sorter.Complete();
    }

    /// <inheritdoc/>
    public override ValueTask<SinkEnd?> FlushAsync() => default;

    /// <inheritdoc/>
    public override void Dispose() => _sorter.Dispose();
}
