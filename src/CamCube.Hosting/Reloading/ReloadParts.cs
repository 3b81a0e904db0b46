using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using CamCube.Runtime;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Reloading;

/// <summary>What a reload needs of the plan that the host was started by.</summary>
internal sealed class ReloadParts
{
    /// <summary>The services that run.</summary>
    public required LoadedServices Services { get; init; }

    /// <summary>Settings of the servers.</summary>
    public required ServerOptions Servers { get; init; }

    /// <summary>Settings of the reload.</summary>
    public required ReloadOptions Options { get; init; }

    /// <summary>Where contract assemblies live.</summary>
    public required ContractContext Contracts { get; init; }

    /// <summary>Where services lie whose settings name no other place.</summary>
    public required string ServicesFolder { get; init; }

    /// <summary>All settings as they are now, or null after a mistake.</summary>
    public required Func<Mistakes, IConfigurationRoot?> ReadSettings { get; init; }

    /// <summary>Told the front ends that the host has now: whoever kept the old ones lets go of them.</summary>
    public required Action<IReadOnlyList<FrontEndDefinition>> FrontEndsChanged { get; init; }
}
