using System.Diagnostics.CodeAnalysis;
using CamCube.Services.Messenger.Counting;

namespace CamCube.Services.Messenger.Endpoints;

/// <summary>The endpoints of this server that are alive, by id. Loop only.</summary>
internal sealed class EndpointTable(EndpointCounters counters)
{
    private readonly Dictionary<EndpointId, LocalEndpoint> _byId = [];

    // In the order of their opening: what is done to all of them is done in the same order in every run.
    private readonly List<LocalEndpoint> _inOrder = [];

    public int Count => _inOrder.Count;

    /// <summary>All of them, as they are now: may change while it is gone through.</summary>
    public LocalEndpoint[] All => [.. _inOrder];

    public bool TryAdd(LocalEndpoint endpoint)
    {
        if (!_byId.TryAdd(endpoint.Id, endpoint))
        {
            return false;
        }

        _inOrder.Add(endpoint);
        return true;
    }

    public void Remove(LocalEndpoint endpoint)
    {
        _byId.Remove(endpoint.Id);
        _inOrder.Remove(endpoint);
        counters.Close(endpoint.Counts);
    }

    public bool TryGet(EndpointId id, [NotNullWhen(true)] out LocalEndpoint? endpoint) =>
        _byId.TryGetValue(id, out endpoint);

    /// <summary>The endpoint that owns this id with this term.</summary>
    public bool TryGetOwner(EndpointId id, uint term, [NotNullWhen(true)] out LocalEndpoint? endpoint) =>
        _byId.TryGetValue(id, out endpoint) && endpoint.IsOwned && endpoint.Term == term;
}
