using CamCube.Services.Collectives;
using CamCube.Services.Collectives.Groups;
using CamCube.Trees;

namespace CamCube.Swarm.Collectives;

/// <summary>A group of a run, and what its members do.</summary>
/// <param name="settings">What is drawn for the run.</param>
/// <param name="shape">The cube.</param>
/// <param name="name">Its name.</param>
/// <param name="ranks">The servers that are its members, rank 0 first.</param>
internal sealed class PlannedGroup(CollectivesSettings settings, TorusShape shape, string name, int[] ranks)
{
    private readonly Dictionary<(TreeKind, int), TreeLinks[][]> _links = [];
    private readonly List<PlannedOperation> _operations = [];

    public CollectivesSettings Settings => settings;

    public string Name => name;

    public int[] Ranks => ranks;

    public Coordinate[] Members { get; } = [.. ranks.Select(shape.At)];

    /// <summary>Members that have not done with it.</summary>
    public int Open { get; set; }

    /// <summary>When it was opened, in virtual nanoseconds.</summary>
    public long OpenedNanos { get; init; }

    /// <summary>What its members have, by server.</summary>
    public List<(int Server, CollectivesService Service, IGroup Group)> Handles { get; } = [];

    /// <summary>All is calm: nobody may be lost.</summary>
    public bool IsLast { get; init; }

    public PlannedOperation OperationOf(int number)
    {
        while (_operations.Count <= number)
        {
            _operations.Add(new PlannedOperation(this, _operations.Count));
        }

        return _operations[number];
    }

    /// <summary>Whether each member is the root of its part.</summary>
    public bool HasParts()
    {
        CollectivesOptions options = settings.Options;
        var byPlace = Members.Select(static (place, rank) => (place, rank)).ToDictionary();
        long edges = Math.Max(2 * (Members.Length - 1), ChannelPlan.MostEdges(shape, Members, byPlace));
        long memory = Math.Min(options.SendMemory, options.ReceiveMemory);
        return Members.Length > 1 && (edges + 30) * options.Groups * options.LeastCredit <= memory;
    }

    /// <summary>The edges of all members.</summary>
    public TreeLinks[][] LinksOf(TreeKind kind, int root)
    {
        if (!_links.TryGetValue((kind, root), out TreeLinks[][]? links))
        {
            var byPlace = Members.Select(static (place, rank) => (place, rank)).ToDictionary();
            links =
            [
                .. Enumerable
                    .Range(0, ranks.Length)
                    .Select(own => ChannelPlan.Of(shape, Members, byPlace, own, kind, root)),
            ];
            _links.Add((kind, root), links);
        }

        return links;
    }
}
