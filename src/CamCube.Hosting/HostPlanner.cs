using System.Net;
using CamCube.Faults;
using CamCube.Hosting.Cubes;
using CamCube.Hosting.Faults;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using CamCube.Runtime;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting;

/// <summary>Turns settings into a plan, or into all the mistakes in them.</summary>
internal static class HostPlanner
{
    /// <summary>The plan, or null after a mistake.</summary>
    public static HostPlan? Plan(
        HostSetup setup,
        IConfiguration configuration,
        ILoggerFactory loggers,
        Mistakes mistakes
    )
    {
        SettingsBinder binder = new(mistakes);
        OptionsReader reader = new(binder, mistakes);
        ContractContext contracts = new();

        IReadOnlyList<ICubeFactory> factories = Factories(setup, configuration, reader, contracts, mistakes);
        (CamCubeOptions options, ServerOptions servers) = reader.Read(
            configuration.GetSection(CamCubeOptions.Section),
            factories.Select(f => f.Name)
        );
        CheckAllowedHosts(options.Http, mistakes);
        ICubeFactory? factory = CubeChooser.Choose(options, factories, configuration, binder, mistakes);

        IReadOnlyList<FaultSetting> faults = FaultSettings.Read(
            options.Faults,
            options.AllowControl || factory is not { RunsWholeCube: false },
            mistakes
        );
        var entries = reader.ReadEntries<ServiceEntryOptions>(configuration.GetSection("CamCube:Services"));
        foreach (SettingsEntry<ServiceEntryOptions> entry in entries)
        {
            reader.CheckQueue(entry);
        }

        ConstructorPlanner planner = new(loggers, binder, mistakes);
        LoadedServices services = new ServiceLoader(setup.ServicesFolder, contracts, planner, mistakes).Load(entries);
        var frontEndEntries = reader.ReadEntries<FrontEndOptions>(configuration.GetSection("CamCube:FrontEnds"));
        new FrontEndAssemblyLoader(Path.Combine(setup.Folder, "front-ends"), contracts, mistakes).Load(
            frontEndEntries,
            entries,
            services
        );
        IReadOnlyList<FrontEndDefinition> frontEnds = new FrontEndLoader(
            FrontEndAddress(options, factory),
            planner,
            setup.Time,
            mistakes
        ).Load(configuration, frontEndEntries, services);

        // Without a shim, a shape, addresses and ports it is not known which ports and how many files are needed.
        string[] needed = ["CamCube:Shape ", "CamCube:Http:", "CamCube:FrontEnd"];
        bool known = !mistakes.Lines.Any(line => needed.Any(start => line.StartsWith(start, StringComparison.Ordinal)));
        if (factory is not null && known)
        {
            int count = HostPlan.LocalServersOf(factory, options);
            PortRange[] ports = PortRange.Apart([
                .. frontEnds
                    .Where(f => f.HasPort)
                    .Select(f => new PortRange(f.Name, f.PortSetting, f.Address, f.Port, count)
                    {
                        IsChosen = f.IsPortChosen,
                    }),
                new("http", "CamCube:Http:Port", options.Http.Address, options.Http.Port, count)
                {
                    IsChosen = configuration["CamCube:Http:Port"] is not null,
                },
            ]);
            frontEnds =
            [
                .. frontEnds.Select(f =>
                    f.HasPort ? f with { Port = ports.First(p => p.Setting == f.PortSetting).First } : f
                ),
            ];
            FileDescriptors.Check(options.Shape, count, frontEnds.Count, setup.FileLimit(), mistakes);
            new PortChecker(ports, setup.Call, setup.Arguments, mistakes).Check();
            LinkRecording? recording = mistakes.Any
                ? null
                : LinkRecording.Open(options, factory.RunsWholeCube, mistakes);
            if (!mistakes.Any)
            {
                return new HostPlan
                {
                    Configuration = configuration,
                    Options = options,
                    Servers = servers,
                    Factory = factory,
                    Services = services,
                    FrontEnds = frontEnds,
                    Contracts = contracts,
                    Ports = ports,
                    Recording = recording,
                    Faults =
                        options.AllowControl && !factory.RunsWholeCube
                            ? new LinkFaultRules(options.Shape, options.Seed)
                            : null,
                    FaultSettings = faults,
                };
            }
        }

        services.Unload();
        return null;
    }

    // A cube in one process is a toy until somebody says otherwise; a real server has to be told.
    private static IPAddress? FrontEndAddress(CamCubeOptions options, ICubeFactory? factory) =>
        options.FrontEndAddress ?? (factory is { RunsWholeCube: false } ? null : IPAddress.Loopback);

    private static List<ICubeFactory> Factories(
        HostSetup setup,
        IConfiguration configuration,
        OptionsReader reader,
        ContractContext contracts,
        Mistakes mistakes
    )
    {
        var entries = reader.ReadEntries<LinkProviderEntryOptions>(configuration.GetSection("CamCube:LinkProviders"));
        LinkProviderLoader loader = new(Path.Combine(setup.Folder, "shims"), contracts, mistakes);
        IEnumerable<ILinkProvider> providers = [.. setup.LinkProviders, .. loader.Load(entries)];
        List<ICubeFactory> factories = [.. setup.Cubes];
        foreach (ILinkProvider provider in providers)
        {
            if (factories.Exists(f => f.Name.Equals(provider.Name, StringComparison.OrdinalIgnoreCase)))
            {
                mistakes.Add($"CamCube:LinkProviders:{provider.Name}: there is a shim of this name already.");
            }
            else
            {
                factories.Add(new CableCubeFactory(provider, setup.Time));
            }
        }

        return factories;
    }

    private static void CheckAllowedHosts(HttpOptions http, Mistakes mistakes)
    {
        foreach (string name in http.AllowedHosts.Where(name => Uri.CheckHostName(name) == UriHostNameType.Unknown))
        {
            mistakes.Value(
                "CamCube:Http:AllowedHosts",
                name,
                "allowed are names and addresses without scheme, port and *"
            );
        }
    }
}
