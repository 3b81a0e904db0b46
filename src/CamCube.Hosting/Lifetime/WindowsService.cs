using System.Runtime.Versioning;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.WindowsServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace CamCube.Hosting.Lifetime;

/// <summary>
/// The life of a host that is a Windows service. It counts as running as soon as its settings have been understood: a
/// server may wait for its cables for as long as it takes, and only a running service can be stopped. Whether it is
/// ready is asked over HTTP.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsService : WindowsServiceLifetime
{
    private readonly IHostApplicationLifetime _application;

    public WindowsService(
        IHostEnvironment environment,
        IHostApplicationLifetime application,
        ILoggerFactory loggers,
        IOptions<HostOptions> options
    )
        : base(environment, application, loggers, options)
    {
        _application = application;

        // The manager tells of starts and ends itself.
        AutoLog = false;
    }

    /// <summary>What makes it; null: the service manager has not started this process.</summary>
    public static Func<IServiceProvider, IHostLifetime>? OfThisProcess() =>
        WindowsServiceHelpers.IsWindowsService()
            ? static provider => ActivatorUtilities.CreateInstance<WindowsService>(provider)
            : null;

    /// <summary>The manager's order, or the host's own end.</summary>
    protected override void OnStop()
    {
        ExitCode = ServiceExit.CodeOf(
            _application.ApplicationStarted.IsCancellationRequested,
            _application.ApplicationStopping.IsCancellationRequested
        );
        base.OnStop();
    }
}
