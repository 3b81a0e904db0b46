using CamCube.Hosting.Loading;

namespace CamCube.Hosting.Reloading;

/// <summary>The services of one assembly over all its loads: which server has which. One order at a time.</summary>
/// <param name="first">What the host started with.</param>
/// <param name="ranks">The servers of this process.</param>
internal sealed class ServiceFamily(ServiceGeneration first, IReadOnlyList<int> ranks)
{
    private readonly Dictionary<int, ServiceGeneration> _at = ranks.ToDictionary(rank => rank, _ => first);

    /// <summary>Names of its services.</summary>
    public IReadOnlyList<string> Names { get; } = [.. first.Services.Select(service => service.Definition.Name)];

    /// <summary>Where the host was told to find its assembly.</summary>
    public string Path { get; } = first.Plugin.Path;

    /// <summary>What a server has.</summary>
    public ServiceGeneration At(int rank) => _at[rank];

    /// <summary>A server has another one now.</summary>
    public void Set(int rank, ServiceGeneration generation) => _at[rank] = generation;

    /// <summary>The loads that some server has.</summary>
    public IReadOnlyList<ServiceGeneration> InUse => [.. _at.Values.Distinct()];

    /// <summary>The services of the load that a server has.</summary>
    public IReadOnlyList<LoadedService> ServicesAt(int rank) => _at[rank].Services;
}
