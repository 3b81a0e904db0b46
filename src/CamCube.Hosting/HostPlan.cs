using System.Globalization;
using System.Reflection;
using CamCube.Faults;
using CamCube.Hosting.Cubes;
using CamCube.Hosting.Faults;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using CamCube.Runtime;
using CamCube.ValueTexts;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting;

/// <summary>Everything that is decided before anything runs.</summary>
internal sealed class HostPlan
{
    /// <summary>All settings.</summary>
    public required IConfiguration Configuration { get; init; }

    /// <summary>The host's own settings.</summary>
    public required CamCubeOptions Options { get; init; }

    /// <summary>The servers' settings.</summary>
    public required ServerOptions Servers { get; init; }

    /// <summary>What makes the cube.</summary>
    public required ICubeFactory Factory { get; init; }

    /// <summary>The services.</summary>
    public required LoadedServices Services { get; init; }

    /// <summary>The front ends.</summary>
    public required IReadOnlyList<FrontEndDefinition> FrontEnds { get; set; }

    /// <summary>Where contract assemblies live.</summary>
    public required ContractContext Contracts { get; init; }

    /// <summary>All ports: front ends in the order of their names, then http.</summary>
    public required IReadOnlyList<PortRange> Ports { get; init; }

    /// <summary>The recording of cables, open already; null: none.</summary>
    public LinkRecording? Recording { get; init; }

    /// <summary>The fault rules that a real server's links obey, if it may be controlled; null: none, and its links are
    /// the plain ones.</summary>
    public LinkFaultRules? Faults { get; init; }

    /// <summary>Fault rules of the settings.</summary>
    public IReadOnlyList<FaultSetting> FaultSettings { get; init; } = [];

    /// <summary>The HTTP ports.</summary>
    public PortRange Http => Ports[^1];

    /// <summary>Servers in this process.</summary>
    public int LocalServers => LocalServersOf(Factory, Options);

    /// <summary>Servers that a process runs with this factory.</summary>
    public static int LocalServersOf(ICubeFactory factory, CamCubeOptions options) =>
        factory.RunsWholeCube ? options.Shape.Count : 1;

    /// <summary>What the cube is made of.</summary>
    public CubeRequest Request(IServerEvents events, Action<LinkNews> news, LinkRecording? recording) =>
        new(
            Options.Shape,
            Factory.RunsWholeCube ? null : Options.Coordinate,
            [.. Services.Services.Select(service => service.Definition)],
            Servers,
            events,
            Options.Seed,
            CubeChooser.SettingsOf(Factory, Configuration)
        )
        {
            ClusterId = Options.ClusterId,
            StateDirectory = Options.StateDirectory,
            AllowControl = Options.AllowControl,
            Decorate =
                recording is null && Faults is null
                    ? null
                    : (rank, epoch, links) => Decorate(rank, epoch, links, recording),
            Advanced = Factory.RunsWholeCube && recording is not null ? recording.Write : null,
            News = news,
        };

    // Recorded is what is really on the cables, so the rules come before it.
    private LinkDriver Decorate(int rank, ulong epochUnixMicros, LinkDriver links, LinkRecording? recording)
    {
        LinkDriver recorded = recording?.Around(rank, epochUnixMicros, links) ?? links;
        return Faults?.Wrap(rank, recorded) ?? recorded;
    }

    /// <summary>One line per service that says how much memory it may take.</summary>
    public IEnumerable<string> MemoryLines()
    {
        foreach (LoadedService service in Services.Services)
        {
            IReadOnlyList<(string Name, double Bytes)> parts = MemoryOf(service.Options);
            if (parts.Count > 0)
            {
                double bytes = parts.Sum(part => part.Bytes);
                string one = SizeText.Format(bytes),
                    all = SizeText.Format(bytes * LocalServers);
                string of =
                    parts.Count == 1
                        ? ""
                        : $" ({string.Join(", ", parts.Select(part => $"{part.Name} {SizeText.Format(part.Bytes)}"))})";
                yield return $"memory: {service.Definition.Name} {one} per server{of}, {all} in all";
            }
        }
    }

    // The rule that docs/configuration.md tells those who write services.
    private static List<(string Name, double Bytes)> MemoryOf(object? options)
    {
        var parts = new List<(string, double)>();
        foreach (PropertyInfo property in options?.GetType().GetProperties() ?? [])
        {
            bool isMemory =
                property.Name == "MemoryLimit" || property.Name.EndsWith("Memory", StringComparison.Ordinal);
            if (isMemory && property.GetIndexParameters().Length == 0 && property.GetValue(options) is long or int)
            {
                parts.Add((property.Name, Convert.ToDouble(property.GetValue(options), CultureInfo.InvariantCulture)));
            }
        }

        return parts;
    }
}
