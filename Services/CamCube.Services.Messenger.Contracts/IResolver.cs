namespace CamCube.Services.Messenger;

/// <summary>Finds out where endpoints are. Loop only. What it answers is not trusted: a place that is wrong costs a
/// message that comes back, and one that never answers costs its time (<c>ResolveTime</c>).</summary>
public interface IResolver
{
    /// <summary>Asks where an endpoint is.</summary>
    /// <param name="id">The endpoint.</param>
    /// <param name="wrong">A place that it is not at (any more); default: none is known.</param>
    /// <param name="cancel">Cancelled, on the loop, when nobody waits any more.</param>
    /// <returns>The place; one with <see cref="EndpointPlace.IsKnown"/> false if it is not known.</returns>
    ValueTask<EndpointPlace> FindAsync(EndpointId id, EndpointPlace wrong, CancellationToken cancel);
}
