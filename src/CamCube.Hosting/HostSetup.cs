using System.Collections;
using CamCube.Hosting.Cubes;
using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Settings;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.Systemd;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting;

/// <summary>What a host program brings: its shims, its arguments and where it runs. The defaults are those of a real
/// process.</summary>
public sealed class HostSetup
{
    /// <summary>The command line.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The cubes that can be chosen with <c>CamCube:Shim</c>.</summary>
    public IReadOnlyList<ICubeFactory> Cubes { get; init; } = [];

    /// <summary>Link providers that are built in; plug-ins come to them.</summary>
    public IReadOnlyList<ILinkProvider> LinkProviders { get; init; } = [];

    /// <summary>How people call this program, for what it tells them to try. Default: from a checkout.</summary>
    public string Call { get; init; } = "dotnet run -c Release --project src/CamCube.Host --";

    /// <summary>How they call the command line.</summary>
    public string ToolCall { get; init; } = "dotnet run --project tools/camcube --";

    /// <summary>Folder with appsettings.json, services and shims. Default: the program's own.</summary>
    public string Folder { get; init; } = AppContext.BaseDirectory;

    /// <summary>Where services lie whose settings name no other place.</summary>
    internal string ServicesFolder => Path.Combine(Folder, "services");

    /// <summary>All settings as they are now, or null after a mistake.</summary>
    internal IConfigurationRoot? ReadSettings(Mistakes mistakes) =>
        SettingsSources.Read(Folder, SettingsLimit, Environment, CommandLine.Parse(Arguments, mistakes), mistakes);

    /// <summary>Largest settings file in bytes; a larger one, or one without end, is refused. Default: 1 MiB.</summary>
    public int SettingsLimit { get; init; } = 1 << 20;

    /// <summary>Environment variables. Default: the process's.</summary>
    public IDictionary Environment { get; init; } = System.Environment.GetEnvironmentVariables();

    /// <summary>Standard output.</summary>
    public TextWriter Output { get; init; } = Console.Out;

    /// <summary>Standard error.</summary>
    public TextWriter Errors { get; init; } = Console.Error;

    /// <summary>Also gets what is logged, beside standard error; null: nobody does. Whoever made it disposes of it,
    /// when the host has ended. It is called on servers' loops, and must not block.</summary>
    public ILoggerProvider? Log { get; init; }

    /// <summary>The clock of time limits and of servers on cables.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Who tells systemd. Default: to the socket that the process's environment names.</summary>
    internal Func<ISystemdNotifier> Systemd { get; init; } = static () => new SystemdNotifier();

    /// <summary>Who starts and stops the host in place of a console; null: a console. Default: the manager of Windows
    /// services, if it has started this process.</summary>
    internal Func<IServiceProvider, IHostLifetime>? ServiceLifetime { get; init; } =
        OperatingSystem.IsWindows() ? WindowsService.OfThisProcess() : null;

    /// <summary>Largest number of open files. Default: the process's limit.</summary>
    internal Func<long?> FileLimit { get; init; } = FileDescriptors.Limit;
}
