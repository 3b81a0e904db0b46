using CamCube.Services.Camdoop.Wire;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Serving;

/// <summary>A pull that is being answered. Loop only.</summary>
/// <param name="output">Where the answer goes.</param>
/// <param name="task">As <see cref="PairPull.Task"/>.</param>
/// <param name="at">The vertex's place.</param>
/// <param name="onLeft">Told when it is over.</param>
internal sealed class ServedPull(PullOutput output, int task, Coordinate at, Action<ServedPull> onLeft) : IPullSource
{
    /// <summary>As <see cref="PairPull.Task"/>.</summary>
    public int Task => task;

    /// <summary>The vertex's place.</summary>
    public Coordinate At => at;

    /// <summary>Who answers.</summary>
    public IPullSource? Source { get; set; }

    /// <summary>Who pulls asks again, from where it is.</summary>
    public void Abort()
    {
        output.Abort(PullRefusal.Unknown);
        Leave();
    }

    void IPullSource.OnWritable() => Source?.OnWritable();

    void IPullSource.OnLeft() => Leave();

    private void Leave()
    {
        (IPullSource? source, Source) = (Source, null);
        source?.OnLeft();
        onLeft(this);
    }
}
