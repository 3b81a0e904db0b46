using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>Groups that are closed here, the last ones. Loop only.</summary>
/// <param name="most">How many.</param>
internal sealed class EndedGroups(int most)
{
    private readonly Dictionary<ulong, Group> _groups = [];
    private readonly Queue<Group> _order = [];

    public void Add(Group group)
    {
        _groups[group.Id] = group;
        _order.Enqueue(group);
        if (_order.Count > most)
        {
            Group oldest = _order.Dequeue();
            if (_groups.GetValueOrDefault(oldest.Id) == oldest)
            {
                _groups.Remove(oldest.Id);
            }
        }
    }

    /// <summary>What a member hears that asks for one that is not open here.</summary>
    public PullRefusal WordFor(ulong id, Coordinate member, EdgeRequest request)
    {
        bool isNew = request.Expected == 0;
        if (_groups.GetValueOrDefault(id) is { } group)
        {
            bool isMeant = group.IsAskedBy(member, request) || (group.End is not null && group.IsStrange(member));
            return isMeant ? group.Word
                : isNew ? PullRefusal.Unknown
                : GroupEnd.Forgotten;
        }

        return isNew ? PullRefusal.Unknown : GroupEnd.Forgotten;
    }
}
