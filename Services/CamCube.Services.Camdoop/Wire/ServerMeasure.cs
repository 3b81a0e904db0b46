using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Sketches;

namespace CamCube.Services.Camdoop.Wire;

/// <summary>What a server has counted of a job since it learnt of it, beside its tasks: asked for by
/// <see cref="SyncOrder.Measures"/>.</summary>
internal sealed record ServerMeasure : IChecked
{
    /// <summary>How long it knows the job.</summary>
    public long AgeNanos { get; init; }

    /// <summary>How long ago it heard first from whom pairs are to be had; null: it has not.</summary>
    public long? FlowAgeNanos { get; init; }

    /// <summary>Bytes that it took over each of its own cables, by link.</summary>
    public IReadOnlyList<long> Taken { get; init; } = [];

    /// <summary>Bytes that it took by other ways than trees' cables.</summary>
    public long Detoured { get; init; }

    /// <summary>Streams that it opened to pull.</summary>
    public long Pulls { get; init; }

    /// <summary>Of these, those of pulls that had broken off.</summary>
    public long RePulls { get; init; }

    /// <summary>Numbers of map tasks whose output it has: of which <see cref="Unaggregated"/> and <see cref="Keys"/>
    /// are.</summary>
    public IReadOnlyList<int> Outputs { get; init; } = [];

    /// <summary>Bytes that the output of its map tasks is, on each cable of their trees, if nothing is combined on the
    /// way. Cables are numbered: six for each server, by its rank, then its link.</summary>
    public IReadOnlyList<LinkBytes> Unaggregated { get; init; } = [];

    /// <summary>Keys of the pairs of its map tasks that are done.</summary>
    public SketchRecord Keys { get; init; } = new(0, 0, []);

    /// <inheritdoc/>
    public bool IsSound =>
        Taken.Count is 0 or Links.Cables
        && Unaggregated.All(static u => u is { Cable: >= 0, Bytes: >= 0 })
        && Keys.Keys.All(static key => key is { Start: not null });
}
