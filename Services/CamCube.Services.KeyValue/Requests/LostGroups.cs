using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Groups that this server has no part in and is asked for, since nobody who should have them can be reached. Loop
/// only.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="options">Settings.</param>
internal sealed class LostGroups(IServer server, KeyValueOptions options)
{
    // Others of which more are asked for wait for their time-out.
    private const int Most = 4096;
    private readonly Dictionary<GroupId, long> _since = [];

    /// <summary>Whether too few of the servers that should have a group have been in the view for more than
    /// <see cref="KeyValueOptions.SlowAfter"/>. From the first question on: until then it may be that they are only
    /// late.</summary>
    public bool IsLost(GroupId id)
    {
        if (HasMajority(id))
        {
            return false;
        }

        if (!_since.TryGetValue(id, out long since))
        {
            since = server.NowNanos;
            if (_since.Count < Most)
            {
                _since[id] = since;
            }
        }

        return server.NowNanos - since >= (long)options.SlowAfter.TotalNanoseconds;
    }

    /// <summary>Whether enough of the servers that should have a group are in the view.</summary>
    public bool HasMajority(GroupId id)
    {
        Coordinate[] planned = id.Planned(server.Shape, options.CopiesOf(id.Table));
        return 2 * planned.Count(server.Topology.IsReachable) > planned.Length;
    }

    /// <summary>Who is back begins anew when it is lost again.</summary>
    public void OnTopologyChanged()
    {
        foreach (GroupId id in _since.Keys.Where(HasMajority).ToArray())
        {
            _since.Remove(id);
        }
    }
}
