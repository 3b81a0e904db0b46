using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Shuffles;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>A job of <see cref="CablesFigure"/> in its variants. One thread.</summary>
/// <param name="name">What it is called.</param>
/// <param name="reduces">Reduces, R.</param>
/// <param name="input">Its input.</param>
/// <param name="keys">The keys in it, if any can be combined.</param>
/// <param name="variants">How it is run.</param>
internal sealed class CableShuffle(
    string name,
    int reduces,
    IShuffleInput input,
    SharedKeys? keys,
    params IReadOnlyList<CableVariant> variants
)
{
    private readonly Dictionary<CableVariant, (CableJob Job, double Model)> _done = [];

    /// <summary>Its name, and how many reduces it has.</summary>
    public string Name => $"{name}, R = {reduces}";

    /// <summary>How it is run.</summary>
    public IReadOnlyList<CableVariant> Variants => variants;

    /// <summary>Whether it is run somewhere.</summary>
    public bool IsAt(string shim) => variants.Any(variant => variant.Shim == shim);

    /// <summary>Runs the variants that go with a testbed, and forgets them.</summary>
    public void WarmUp(JobTestbed testbed, string shim, string folder)
    {
        testbed.Put(input, folder);
        foreach (CableVariant variant in variants.Where(one => one.Shim == shim))
        {
            testbed.Run(input, folder, JobOf(variant));
        }
    }

    /// <summary>Runs the variants that go with a testbed.</summary>
    public void Measure(FigureRun run, JobTestbed testbed, string shim, long rate)
    {
        if (!IsAt(shim))
        {
            return;
        }

        string folder = $"/{name}{reduces}";
        testbed.Put(input, folder);
        foreach (CableVariant variant in variants.Where(one => one.Shim == shim))
        {
            CableJob job = testbed.Run(input, folder, JobOf(variant));
            double model = ModelOf(testbed.Shape, variant, job, rate);
            _done[variant] = (job, model);
            run.Table.Add(
                name,
                variant.Name,
                keys?.Share ?? 1,
                reduces,
                job.Bytes / testbed.Shape.Count,
                job.Seconds,
                model,
                job.Processors
            );
        }
    }

    /// <summary>How many times as long one variant took as another.</summary>
    public double Ratio(CableVariant slow, CableVariant fast) => _done[slow].Job.Seconds / _done[fast].Job.Seconds;

    /// <summary>The same by the bytes of the fullest link.</summary>
    public double Allowed(CableVariant slow, CableVariant fast) => _done[slow].Model / _done[fast].Model;

    /// <summary>How many times as long one variant would take by the bytes of its fullest link as another
    /// took.</summary>
    public double Bound(CableVariant slow, CableVariant fast) => _done[slow].Model / _done[fast].Job.Seconds;

    /// <summary>What a variant took; null: it was not run.</summary>
    public double? SecondsOf(CableVariant variant) =>
        _done.TryGetValue(variant, out (CableJob Job, double) one) ? one.Job.Seconds : null;

    /// <summary>What it took for each second of the fullest link.</summary>
    public double OverModel(CableVariant variant) => _done[variant].Job.Seconds / _done[variant].Model;

    private ShuffleJob JobOf(CableVariant variant) => new(reduces, variant.Combines) { Trees = variant.Trees };

    // Seconds of the fullest link.
    private double ModelOf(TorusShape shape, CableVariant variant, CableJob job, long rate)
    {
        int[] roots = [.. Enumerable.Range(0, reduces)];
        double unit = 8.0 * job.Bytes / shape.Count / rate;
        var model = new ShuffleModel(shape);
        return variant == CableVariant.Tcp ? unit * model.Switch(roots)
            : keys is null ? unit * model.Merged(roots)
            : 8.0 * EdgeModel.BytesOf(shape, keys, roots, variant.Combines).Values.Max() / rate;
    }
}
