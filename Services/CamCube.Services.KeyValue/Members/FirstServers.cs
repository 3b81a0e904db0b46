using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>The servers of the first start. Where one of the cube was not among them, groups that it should have are
/// born at the next server of their sequence; it gets them when it comes. Immutable.</summary>
internal sealed class FirstServers
{
    private readonly HashSet<Coordinate> _servers = [];

    /// <summary>Of the stores that were written down.</summary>
    public FirstServers(ReadOnlySpan<byte> stores)
    {
        var reader = new WireReader(stores);
        while (reader.Left > 0)
        {
            StoreId store = EpochFormat.ReadStore(ref reader);
            if (!reader.IsBroken)
            {
                _servers.Add(store.Server);
            }
        }
    }

    /// <summary>Whether a server was among them.</summary>
    public bool Has(Coordinate at) => _servers.Contains(at);

    /// <summary>Who has a group when it begins, in order.</summary>
    /// <param name="id">The group.</param>
    /// <param name="planned">Who should have it.</param>
    /// <param name="shape">The cube.</param>
    public Coordinate[] BirthPlanOf(GroupId id, Coordinate[] planned, TorusShape shape)
    {
        if (Array.TrueForAll(planned, _servers.Contains))
        {
            return planned;
        }

        Coordinate[] there = [.. id.Planned(shape, shape.Count).Where(_servers.Contains).Take(planned.Length)];

        // With fewer copies it would be another group: then it waits for those that it should have.
        return there.Length == planned.Length ? there : planned;
    }
}
