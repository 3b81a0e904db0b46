using CamCube.Runtime.Services;

namespace CamCube.Hosting.Loading;

/// <summary>A service that is ready to run.</summary>
/// <param name="Definition">What the runtime needs.</param>
/// <param name="Options">Its options object, or null.</param>
/// <param name="FrontEnds">The front ends of its assembly.</param>
internal sealed record LoadedService(ServiceDefinition Definition, object? Options, IReadOnlyList<Type> FrontEnds)
{
    /// <summary>Its class.</summary>
    public required Type Type { get; init; }

    /// <summary>Its assembly; null if it was not loaded from a file.</summary>
    public PluginAssembly? Plugin { get; init; }
}
