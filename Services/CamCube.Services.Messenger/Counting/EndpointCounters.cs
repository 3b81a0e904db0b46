namespace CamCube.Services.Messenger.Counting;

/// <summary>The counters of single endpoints, read from outside by their names. Loop only.</summary>
/// <param name="counters">The service's.</param>
/// <param name="most">Endpoints that are told by name; the others are told in one sum.</param>
internal sealed class EndpointCounters(IServerCounters counters, int most)
{
    private const string Label = "endpoint";

    private readonly LabelledCounter _received = counters.CreatePerLabel("endpoint.received", "{message}", Label, most),
        _dropped = counters.CreatePerLabel("endpoint.dropped", "{message}", Label, most),
        _windows = counters.CreatePerLabel("endpoint.windows", "{window}", Label, most);

    /// <summary>Those of an endpoint that opens.</summary>
    public EndpointCounts Open(string name) => new(_received.Add(name), _dropped.Add(name), _windows.Add(name));

    /// <summary>The endpoint is no more.</summary>
    public void Close(in EndpointCounts counts)
    {
        _received.Remove(counts.Received);
        _dropped.Remove(counts.Dropped);
        _windows.Remove(counts.Windows);
    }
}
