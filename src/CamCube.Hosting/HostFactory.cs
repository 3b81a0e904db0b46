using CamCube.Faults;
using CamCube.FrontEnds.Http;
using CamCube.Hosting.Control;
using CamCube.Hosting.Faults;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Http;
using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Observing;
using CamCube.Hosting.Reloading;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting;

/// <summary>Puts the host together from its plan. Only what is named here is in it: no settings but CamCube's reach the
/// web server.</summary>
internal static class HostFactory
{
    /// <summary>Everything has to end within 5 s; the last 0.3 s belong to the process.</summary>
    private static readonly TimeSpan StopTime = TimeSpan.FromSeconds(4.7);

    /// <summary>The host, not started.</summary>
    public static WebApplication Create(
        HostPlan plan,
        ICube cube,
        FrontEndSet frontEnds,
        EndedParts ended,
        ILoggerFactory loggers,
        HostOutput output,
        HostSetup setup
    )
    {
        LinkFaultRules? rules = (cube as IFaultyCube)?.LinkFaults ?? plan.Faults;
        if (rules is not null)
        {
            ILogger cables = loggers.CreateLogger("CamCube.Cables");
            rules.Ended = (fault, e) => FaultRuleEnded(cables, ended, fault, e);
        }

        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(
            new WebApplicationOptions
            {
                ApplicationName = "CamCube.Host",
                ContentRootPath = setup.Folder,
                EnvironmentName = Environments.Production,
            }
        );
        builder
            .WebHost.UseKestrelCore()
            .ConfigureKestrel(kestrel =>
            {
                kestrel.AddServerHeader = false;
                kestrel.Limits.MaxRequestBodySize = 64 * 1024;
                for (int port = plan.Http.First; port <= plan.Http.Last; port++)
                {
                    kestrel.Listen(plan.Http.Address, port);
                }
            });

        IServiceCollection services = builder.Services;
        services.AddRoutingCore();
        services.AddMetrics();
        services.Configure<HostOptions>(options => options.ShutdownTimeout = StopTime);
        services.Configure<ConsoleLifetimeOptions>(options => options.SuppressStatusMessages = true);
        services.AddSingleton(loggers);
        services.AddSingleton(setup);
        services.AddSingleton(setup.Time);
        services.AddSingleton(plan);
        services.AddSingleton(new HostPorts([.. plan.Ports.SkipLast(1)], plan.Http, plan.LocalServers));
        services.AddSingleton(plan.Options.Http);
        services.AddSingleton(output);
        services.AddSingleton(cube);
        services.AddSingleton(frontEnds);
        services.AddSingleton(plan.Options.Watch);
        services.AddSingleton<HeldPackets>();
        services.AddSingleton<LoopWatch>();
        services.AddSingleton<IHealthSource>(provider => provider.GetRequiredService<LoopWatch>());
        services.AddSingleton<IHealthSource>(provider => provider.GetRequiredService<HeldPackets>());
        services.AddSingleton(ended);
        services.AddSingleton<IHealthSource>(ended);
        services.AddSingleton<HostHealth>();
        services.AddSingleton<HostControl>();
        services.AddSingleton<CubeMetrics>();
        services.AddSingleton<StatusReport>();
        services.AddSingleton(provider => new RequestGuard(
            plan.Options.Http.AllowedHosts,
            "CamCube:Http:AllowedHosts",
            provider.GetRequiredService<ILogger<RequestGuard>>()
        ));
        services.AddSingleton(new FaultDesk(rules));
        services.AddSingleton(new FaultReader(cube, plan.Services));
        services.AddSingleton<FaultApi>();
        services.AddSingleton<BodyReader>();
        services.AddSingleton<CommandApi>();
        services.AddSingleton(
            new ReloadParts
            {
                Services = plan.Services,
                Servers = plan.Servers,
                Options = plan.Options.Reload,
                Contracts = plan.Contracts,
                ServicesFolder = setup.ServicesFolder,
                ReadSettings = setup.ReadSettings,
                FrontEndsChanged = changed => plan.FrontEnds = changed,
            }
        );
        services.AddSingleton<ServiceReloader>();
        services.AddSingleton<ReloadApi>();
        services.AddSingleton<HttpApi>();
        services.AddSingleton(setup.Systemd());
        services.AddSingleton<SystemdNews>();
        services.AddSingleton(provider => new SystemdWatchdog(
            SystemdWatchdog.PeriodOf(setup.Environment),
            provider.GetRequiredService<LoopWatch>(),
            provider.GetRequiredService<SystemdNews>(),
            setup.Time
        ));
        services.AddHostedService<CubeLifecycle>();
        if (setup.ServiceLifetime is { } lifetime)
        {
            // In place of the one for consoles: the service manager says when to stop.
            services.AddSingleton(lifetime);
        }

        WebApplication app = builder.Build();
        app.Services.GetRequiredService<HttpApi>().Map(app);
        return app;
    }

    private static void FaultRuleEnded(ILogger logger, EndedParts ended, LinkFault fault, Exception e)
    {
        HostingLog.FaultRuleEnded(logger, e, fault.GetType().Name);
        ended.Add(
            null,
            new HealthReason(
                HealthLevel.Degraded,
                $"fault rule {fault.GetType().Name} has ended: {ErrorText.Describe(e)}"
            )
        );
    }
}
