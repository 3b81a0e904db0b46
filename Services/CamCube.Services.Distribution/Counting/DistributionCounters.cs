using System.Globalization;

namespace CamCube.Services.Distribution.Counting;

/// <summary>What one server's distribution counts, also read from outside as <c>camcube.distribution.*</c>. Loop
/// only.</summary>
internal sealed class DistributionCounters(IServerCounters counters)
{
    private readonly Counter?[] _recoveredOf = new Counter?[Links.Cables];
    private readonly LabelledCounter _byTree = counters.CreatePerLabel(
        "recovered.tree",
        "{piece}",
        "tree",
        Links.Cables
    );

    /// <summary>Jobs that were begun here.</summary>
    public Counter Begun { get; } = counters.Create("begun", "{job}");

    /// <summary>Files that are here, whole.</summary>
    public Counter Received { get; } = counters.Create("received", "{file}");

    /// <summary>Files that did not get whole here.</summary>
    public Counter Failed { get; } = counters.Create("failed", "{file}");

    /// <summary>Pieces that came from a parent.</summary>
    public Counter Pulled { get; } = counters.Create("pulled", "{piece}");

    /// <summary>Pieces that did not come, and were made of others.</summary>
    public Counter Recovered { get; } = counters.Create("recovered", "{piece}");

    /// <summary>The same by tree.</summary>
    public Counter RecoveredOf(int tree) =>
        _recoveredOf[tree] ??= _byTree.Add(tree.ToString(CultureInfo.InvariantCulture));

    /// <summary>Pieces that an earlier run of the server had left, right.</summary>
    public Counter Resumed { get; } = counters.Create("resumed", "{piece}");

    /// <summary>Pieces that a child took.</summary>
    public Counter Served { get; } = counters.Create("served", "{piece}");

    /// <summary>Of these, pieces that were passed on for a vertex of which nothing is kept here.</summary>
    public Counter Relayed { get; } = counters.Create("relayed", "{piece}");

    /// <summary>Pieces that were given up because the disk, or another child, was slower than a child; they are pulled
    /// again.</summary>
    public Counter GivenUp { get; } = counters.Create("given-up", "{piece}");

    /// <summary>Blocks whose sums were wrong; they are pulled again.</summary>
    public Counter Wrong { get; } = counters.Create("wrong", "{block}");

    /// <summary>Manifests that were given to other servers.</summary>
    public Counter Manifests { get; } = counters.Create("manifests", "{manifest}");

    /// <summary>Manifests that came and that their source has not made.</summary>
    public Counter WrongManifests { get; } = counters.Create("wrong.manifests", "{manifest}");

    /// <summary>Messages and manifests that are none.</summary>
    public Counter Malformed { get; } = counters.Create("malformed", "{message}");
}
