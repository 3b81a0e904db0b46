using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Loading;

namespace CamCube.Hosting.Reloading;

/// <summary>What one load of an assembly brought: its services that run, and their front ends. Immutable.</summary>
/// <param name="Plugin">The assembly.</param>
/// <param name="Services">Its services.</param>
/// <param name="FrontEnds">Its front ends.</param>
internal sealed record ServiceGeneration(
    PluginAssembly Plugin,
    IReadOnlyList<LoadedService> Services,
    IReadOnlyList<FrontEndDefinition> FrontEnds
);
