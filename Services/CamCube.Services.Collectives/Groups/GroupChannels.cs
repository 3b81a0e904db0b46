using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>
/// The channels of a group: all trees of the cube, and one of shortest ways, with rank 0 as their root; and one for
/// each member, a tree of shortest ways with that member as its root, for operations whose parts are of one member
/// each. These are opened when they are used for the first time, at this member or another. Loop only.
/// </summary>
internal sealed class GroupChannels
{
    private const int FirstPart = 2;

    // A server has so many edges in the first two, or fewer.
    private const int OtherEdges = 30;

    private readonly Group _group;
    private readonly Dictionary<Coordinate, int> _ranks;
    private Channel[] _all;
    private bool? _hasParts;
    private uint? _ways;

    /// <summary>The first two, not open.</summary>
    /// <param name="group">Whose they are.</param>
    /// <param name="ranks">Its members' ranks.</param>
    public GroupChannels(Group group, Dictionary<Coordinate, int> ranks)
    {
        (_group, _ranks) = (group, ranks);
        _all = [Make(number: 0, TreeKind.Six, root: 0), Make(number: 1, TreeKind.One, root: 0)];
    }

    /// <summary>All that there are.</summary>
    public ReadOnlySpan<Channel> All => _all;

    /// <summary>For long vectors.</summary>
    public Channel Long => _all[0];

    /// <summary>For short ones.</summary>
    public Channel Short => _all[1];

    /// <summary>What settings say of which way an operation goes. Members compare it before they do anything
    /// (<see cref="EdgeRequest.Ways"/>): where it differs, each would wait on a tree where the other does not
    /// come.</summary>
    public uint Ways => _ways ??= ((uint)_group.Terms.Options.ShortBytes << 1) | (HasParts ? 1u : 0);

    /// <summary>Whether members are roots of their parts. All members say the same, for it hangs on settings and
    /// members only: there is memory for the edges of as many such groups as may be open.</summary>
    public bool HasParts
    {
        get
        {
            CollectivesOptions options = _group.Terms.Options;
            long ofEdge = (long)options.Groups * options.LeastCredit,
                most = (Math.Min(options.SendMemory, options.ReceiveMemory) / ofEdge) - OtherEdges;
            int others = _group.Members.Count - 1;
            return _hasParts ??=
                others > 0
                && 2 * others <= most
                && ChannelPlan.MostEdges(_group.Terms.Server.Shape, _group.Members, _ranks) <= most;
        }
    }

    /// <summary>Whether there is, or may be, one of a number.</summary>
    public bool Has(uint number) => number < FirstPart || (number < FirstPart + _group.Members.Count && HasParts);

    /// <summary>The one of a number.</summary>
    public Channel Of(uint number)
    {
        if (number >= FirstPart)
        {
            OpenParts();
        }

        return _all[number];
    }

    /// <summary>The one whose root is a member.</summary>
    public Channel OfRoot(int rank) => Of((uint)(FirstPart + rank));

    /// <summary>Opens the first two.</summary>
    public void Open() => Array.ForEach(_all, static channel => channel.Open());

    private void OpenParts()
    {
        if (_all.Length > FirstPart)
        {
            return;
        }

        var parts = new Channel[_group.Members.Count];
        for (int rank = 0; rank < parts.Length; rank++)
        {
            parts[rank] = Make((uint)(FirstPart + rank), TreeKind.Even, rank);
        }

        _all = [.. _all, .. parts];
        Array.ForEach(parts, static channel => channel.Open());
    }

    private Channel Make(uint number, TreeKind kind, int root) =>
        new(_group, number, ChannelPlan.Of(_group.Terms.Server.Shape, _group.Members, _ranks, _group.Rank, kind, root));
}
