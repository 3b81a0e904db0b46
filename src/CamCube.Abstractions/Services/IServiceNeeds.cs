namespace CamCube;

/// <summary>
/// Options of a service that needs another service, as they are set. The host asks before it starts anything, and
/// refuses to start without the other one. What a service can do without is a <see cref="Dependency{T}"/> alone.
/// </summary>
public interface IServiceNeeds
{
    /// <summary>What is needed; null: nothing. Asked once, by the host, after the options are valid.</summary>
    ServiceNeed? Need { get; }
}
