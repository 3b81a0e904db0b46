namespace CamCube.Trees;

/// <summary>What one <see cref="PullEndpoint{THeader, TRequest}"/> counts, also read from outside under its service's
/// name. Who pulls counts, so each answer counts once. Loop only; a byte of an answer costs no more than two
/// additions per call of <see cref="PullInput{TRequest}.Consume"/>.</summary>
internal sealed class PullCounters
{
    // As many as a cube has at once; the 48 of one kind beyond them are told in one sum.
    private const int NamedTrees = Links.Cables;
    private const string Label = "tree";

    private readonly TreeCounts?[] _trees = new TreeCounts?[byte.MaxValue + 1];
    private readonly LabelledCounter _bytes,
        _opened,
        _again,
        _detours;

    /// <summary>Counters of a service.</summary>
    /// <param name="counters">The service's.</param>
    public PullCounters(IServerCounters counters)
    {
        _bytes = counters.CreatePerLabel("pull_tree_bytes", "By", Label, NamedTrees);
        _opened = counters.CreatePerLabel("pull_tree_opened", "{pull}", Label, NamedTrees);
        _again = counters.CreatePerLabel("pull_tree_again", "{pull}", Label, NamedTrees);
        _detours = counters.CreatePerLabel("pull_tree_detours", "{pull}", Label, NamedTrees);
        LinkBytes = counters.CreatePerLink("pull_link_bytes", "By");
        LinkOpened = counters.CreatePerLink("pull_link_opened", "{pull}");
        LinkAgain = counters.CreatePerLink("pull_link_again", "{pull}");
        EdgesIn = counters.Create("pull_edges_in", "{pull}");
        EdgesOut = counters.Create("pull_edges_out", "{pull}");
        LeastCredit = counters.Create("pull_least_credit", "By");
        Clear();
    }

    /// <summary>Bytes of answers that came on a tree's own cable.</summary>
    public LinkCounter LinkBytes { get; }

    /// <summary>Pulls that were opened on it.</summary>
    public LinkCounter LinkOpened { get; }

    /// <summary>Of these, those that had broken off.</summary>
    public LinkCounter LinkAgain { get; }

    /// <summary>Pulls that have a stream now, as who pulls.</summary>
    public Counter EdgesIn { get; }

    /// <summary>Pulls that are being answered, or read, now.</summary>
    public Counter EdgesOut { get; }

    /// <summary>Bytes that are set apart here for what is pulled, whatever others hold, now.</summary>
    public Counter LeastCredit { get; }

    /// <summary>Those of a tree.</summary>
    public TreeCounts OfTree(byte tree) => _trees[tree] ??= Make(tree);

    /// <summary>Nothing is open any more.</summary>
    public void Clear()
    {
        EdgesIn.Set(0);
        EdgesOut.Set(0);
        LeastCredit.Set(0);
    }

    private TreeCounts Make(byte tree)
    {
        string name = tree.ToString(System.Globalization.CultureInfo.InvariantCulture);
        return new TreeCounts(_bytes.Add(name), _opened.Add(name), _again.Add(name), _detours.Add(name));
    }
}
