using System.Diagnostics.Metrics;
using CamCube.Client.Cache;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

// The namespace in which applications look for Add methods.
namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registration of the cache.</summary>
public static class CamCubeCacheServiceCollectionExtensions
{
    /// <summary>
    /// Registers one <see cref="CamCubeCache"/> as <see cref="IDistributedCache"/> and
    /// <see cref="IBufferDistributedCache"/>. The clock is the registered <see cref="TimeProvider"/>, or the system's.
    /// Settings are checked when the cache is made and when the host starts.
    /// </summary>
    /// <param name="services">The services of the application.</param>
    /// <param name="configure">Sets at least <see cref="CamCubeCacheOptions.Servers"/>.</param>
    public static IServiceCollection AddCamCubeCache(
        this IServiceCollection services,
        Action<CamCubeCacheOptions> configure
    )
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        services.AddLogging().AddMetrics();
        services.AddOptions<CamCubeCacheOptions>().Configure(configure).ValidateOnStart();
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IValidateOptions<CamCubeCacheOptions>, CamCubeCacheOptionsValidator>()
        );
        services.TryAddSingleton(provider => new CamCubeCache(
            provider.GetRequiredService<IOptions<CamCubeCacheOptions>>().Value,
            provider.GetService<TimeProvider>() ?? TimeProvider.System,
            provider.GetRequiredService<ILogger<CamCubeCache>>(),
            provider.GetRequiredService<IMeterFactory>()
        ));
        services.AddSingleton<IDistributedCache>(provider => provider.GetRequiredService<CamCubeCache>());
        services.AddSingleton<IBufferDistributedCache>(provider => provider.GetRequiredService<CamCubeCache>());
        return services;
    }
}
