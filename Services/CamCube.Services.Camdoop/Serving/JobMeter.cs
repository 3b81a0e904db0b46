using CamCube.Services.Camdoop.Outputs;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Sketches;
using CamCube.Services.Camdoop.Wire;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Serving;

/// <summary>What a server counts of a job while it knows it. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="job">The job.</param>
internal sealed class JobMeter(IServer server, Job job)
{
    private readonly long _sinceNanos = server.NowNanos;
    private long? _flowNanos;
    private MapOutput[] _loaded = [];
    private IReadOnlyList<LinkBytes> _load = [];

    /// <summary>Counts what pulls of the job take.</summary>
    public PullTally Tally { get; } = new();

    /// <summary>The server has heard from whom pairs are to be had.</summary>
    public void Flow() => _flowNanos ??= server.NowNanos;

    /// <summary>All of it.</summary>
    /// <param name="outputs">What map tasks have given here: their numbers, and what.</param>
    public ServerMeasure Read(IReadOnlyList<(int Task, MapOutput Output)> outputs)
    {
        var keys = new KeySketch();
        foreach ((_, MapOutput output) in outputs)
        {
            keys.Add(output.Keys);
        }

        return new ServerMeasure
        {
            AgeNanos = server.NowNanos - _sinceNanos,
            FlowAgeNanos = server.NowNanos - _flowNanos,
            Taken = [.. Enumerable.Range(0, Links.Cables).Select(link => Tally.OfLink((Link)link))],
            Detoured = Tally.Detoured,
            Pulls = Tally.Opened,
            RePulls = Tally.Again,
            Outputs = [.. outputs.Select(static o => o.Task)],
            Unaggregated = _flowNanos is null ? [] : LoadOf(outputs),
            Keys = keys.ToRecord(),
        };
    }

    // It costs a walk to the root for each reduce and tree, and mostly nothing has changed.
    private IReadOnlyList<LinkBytes> LoadOf(IReadOnlyList<(int Task, MapOutput Output)> outputs)
    {
        MapOutput[] given = [.. outputs.Select(static o => o.Output)];
        if (!given.AsSpan().SequenceEqual(_loaded))
        {
            (_loaded, _load) = (given, PlainLoad.Of(job, server.Shape, outputs));
        }

        return _load;
    }
}
