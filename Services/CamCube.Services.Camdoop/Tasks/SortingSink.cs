using System.Security.Cryptography;
using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Outputs;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Records;
using CamCube.Services.Camdoop.Sketches;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Sorts pairs into runs, which are kept until the reduces have them. See <see cref="MapSink"/> for
/// threads.</summary>
internal sealed class SortingSink : MapSink
{
    private readonly KeyCounter _keys;
    private readonly PairSorter _sorter;
    private readonly OutputStore _store;
    private readonly Action<string> _onBroken;
    private readonly LineCutter _lines;
    private readonly PairMaker _maker;
    private readonly Func<SortedRun, ValueTask<(SortedRun? Run, SinkEnd? End)>>? _recombine;
    private readonly List<KeptRun> _runs = [];
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private bool _isTaken;

    /// <summary>A sink of one attempt.</summary>
    /// <param name="job">The job.</param>
    /// <param name="functions">Its functions in C#; null: it has none.</param>
    /// <param name="recombine">Makes another run of one that is sorted; null: it stays as it is.</param>
    /// <param name="store">Keeps runs.</param>
    /// <param name="onBroken">Told in words when one cannot be read back.</param>
    /// <param name="cutsAt">A mistake that is made on purpose: bytes that are sorted at once; 0: as the job
    /// says.</param>
    public SortingSink(
        Job job,
        FunctionSet? functions,
        Func<SortedRun, ValueTask<(SortedRun? Run, SinkEnd? End)>>? recombine,
        OutputStore store,
        Action<string> onBroken,
        int cutsAt = 0
    )
    {
        SortLimits limits = cutsAt > 0 ? job.Limits with { SortBytes = cutsAt } : job.Limits;
        _recombine = recombine;
        IPairCombiner? combiner = TaskTerms.CombinerOf(job, functions);
        JobText text = job.Description.Text;
        _keys = new KeyCounter(
            (key, value) => PairMaker.TryTurnBack(text, key, value, out ReadOnlySpan<byte> given, out _) ? given : key
        );
        (_sorter, _store, _onBroken) = (new PairSorter(job.Groups, limits, combiner, _keys), store, onBroken);
        _maker = new PairMaker(job.Description, _sorter, functions);
        _lines = new LineCutter(job.Limits.MostRecord, _maker.Line, LineChanger.EndForMap(job.Description));
    }

    /// <inheritdoc/>
    public override string? Wrong => _sorter.Wrong ?? _lines.Wrong ?? _maker.Wrong;

    /// <summary>Pairs that came.</summary>
    public long Pairs => _sorter.Pairs;

    /// <summary>Their bytes.</summary>
    public long Bytes => _sorter.Bytes;

    /// <summary>Pairs of all runs, after combining.</summary>
    public long SortedPairs => _sorter.SortedPairs;

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
    public override async ValueTask<SinkEnd?> FlushAsync()
    {
        while (_sorter.Take() is { } sorted)
        {
            (SortedRun? run, SinkEnd? end) = _recombine is null ? (sorted, null) : await _recombine(sorted);
            if (run is null)
            {
                return end;
            }

            _hash.AppendData(run.Bytes.Span);
            (KeptRun? kept, string? words) = await _store.KeepAsync(run, _onBroken);
            if (kept is null)
            {
                return new SinkEnd(words!, IsInnocent: false);
            }

            _runs.Add(kept);
        }

        return null;
    }

    /// <summary>All that was kept. The receiver's: it releases it.</summary>
    public MapOutput Take()
    {
        _isTaken = true;
        return new MapOutput(_runs, _keys.ToRecord());
    }

    /// <summary>SHA-256 of all that was kept.</summary>
    public string Sum() => Convert.ToHexStringLower(_hash.GetCurrentHash());

    /// <inheritdoc/>
    public override void Dispose()
    {
        _sorter.Dispose();
        _hash.Dispose();
        if (!_isTaken)
        {
            _runs.ForEach(static run => run.Release());
        }
    }
}
