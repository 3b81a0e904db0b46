using System.Net;
using System.Reflection;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.FrontEnds;

/// <summary>Reads <c>CamCube:FrontEnds</c> and prepares the front ends of the loaded services.</summary>
/// <param name="address">Where front ends listen that say nothing themselves; null: each has to say.</param>
/// <param name="planner">Plans constructors.</param>
/// <param name="time">The clock of front ends.</param>
/// <param name="mistakes">Gets what is wrong.</param>
internal sealed class FrontEndLoader(
    IPAddress? address,
    ConstructorPlanner planner,
    TimeProvider time,
    Mistakes mistakes
)
{
    private const string Section = "CamCube:FrontEnds";

    /// <summary>The front ends that are to be started, in the order of their names.</summary>
    /// <param name="configuration">All settings.</param>
    /// <param name="entries">What the host read of them.</param>
    /// <param name="services">Loaded services.</param>
    public IReadOnlyList<FrontEndDefinition> Load(
        IConfiguration configuration,
        IReadOnlyList<SettingsEntry<FrontEndOptions>> entries,
        LoadedServices services
    )
    {
        Dictionary<string, Type> types = new(StringComparer.OrdinalIgnoreCase);
        foreach (Type type in services.FrontEnds)
        {
            string name = type.GetCustomAttribute<FrontEndAttribute>()!.Name;
            if (!typeof(IFrontEnd).IsAssignableFrom(type))
            {
                mistakes.Add($"{type.FullName} has [FrontEnd] but does not implement IFrontEnd.");
            }
            else if (!types.TryAdd(name, type))
            {
                mistakes.Add($"two front ends are named '{name}': {types[name].FullName} and {type.FullName}.");
            }
        }

        string[] known = [.. types.Keys, .. services.AbsentFrontEnds];
        foreach (SettingsEntry<FrontEndOptions> entry in entries)
        {
            if (!known.Contains(entry.Name, StringComparer.OrdinalIgnoreCase))
            {
                mistakes.Add(
                    known.Length > 0
                        ? UnknownSetting.Describe(Section, entry.Name, known)
                        : $"{entry.Path} is not a setting; no loaded service has a front end."
                );
            }
        }

        List<FrontEndDefinition> definitions = [];
        foreach ((string name, Type type) in types.OrderBy(t => t.Key, StringComparer.Ordinal))
        {
            SettingsEntry<FrontEndOptions> entry = EntryOf(name, configuration, entries);
            bool isEnabled = entry.Options.Enabled ?? type.GetCustomAttribute<FrontEndAttribute>()!.StartsByDefault;
            FrontEndDefinition? definition = isEnabled ? Define(name, type, entry) : null;
            if (definition is not null)
            {
                definitions.Add(definition);
            }
            else if (!isEnabled && entry.Options.Enabled is null && entry.Section.GetChildren().Any())
            {
                // Nobody said that it is off, and something was said of it: perhaps Enable=true.
                _ = PlanOf(type, entry);
            }
        }

        return definitions;
    }

    /// <summary>New front ends in the places of those of the same names, where those were.</summary>
    /// <param name="configuration">All settings.</param>
    /// <param name="entries">What the host read of them.</param>
    /// <param name="types">The new classes.</param>
    /// <param name="running">Those that were there.</param>
    public IReadOnlyList<FrontEndDefinition> Reload(
        IConfiguration configuration,
        IReadOnlyList<SettingsEntry<FrontEndOptions>> entries,
        IReadOnlyList<Type> types,
        IReadOnlyList<FrontEndDefinition> running
    )
    {
        List<FrontEndDefinition> definitions = [];
        foreach (FrontEndDefinition old in running)
        {
            Type? type = types.FirstOrDefault(type =>
                old.Name.Equals(type.GetCustomAttribute<FrontEndAttribute>()!.Name, StringComparison.OrdinalIgnoreCase)
                && typeof(IFrontEnd).IsAssignableFrom(type)
            );
            if (type is null || (type.GetCustomAttribute<FrontEndAttribute>()!.BasePort != 0) != old.HasPort)
            {
                mistakes.Add(
                    $"the new assembly has no front end '{old.Name}' {(old.HasPort ? "with" : "without")} a port, "
                        + "which the one that runs has; the host has to be started anew for that."
                );
            }
            else if (PlanOf(type, EntryOf(old.Name, configuration, entries)) is { } plan)
            {
                definitions.Add(old with { Plan = plan });
            }
        }

        return definitions;
    }

    private static SettingsEntry<FrontEndOptions> EntryOf(
        string name,
        IConfiguration configuration,
        IReadOnlyList<SettingsEntry<FrontEndOptions>> entries
    ) =>
        entries.FirstOrDefault(e => e.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
        ?? new(name, configuration.GetSection($"{Section}:{name}"), new FrontEndOptions());

    // Reads its settings, too: mistakes in them are told.
    private ConstructorPlan<IServerGate>? PlanOf(Type type, SettingsEntry<FrontEndOptions> entry) =>
        planner.Plan<IServerGate>(
            type,
            entry.Section,
            SettingsEntry<FrontEndOptions>.HostNames,
            parameter =>
                parameter.ParameterType == typeof(IServerGate) ? static gate => gate
                : parameter.ParameterType == typeof(TimeProvider) ? _ => time
                : null,
            "IServerGate, TimeProvider",
            out _
        );

    private FrontEndDefinition? Define(string name, Type type, SettingsEntry<FrontEndOptions> entry)
    {
        ConstructorPlan<IServerGate>? plan = PlanOf(type, entry);
        int basePort = type.GetCustomAttribute<FrontEndAttribute>()!.BasePort;
        if (basePort == 0)
        {
            if (entry.Options is { Port: not null } or { Address: not null })
            {
                mistakes.Add(
                    $"{Section}:{name}:{(entry.Options.Port is null ? "Address" : "Port")}: this front end has no port."
                );
            }

            return plan is null ? null : new FrontEndDefinition(name, IPAddress.None, 0, plan);
        }

        int port = entry.Options.Port ?? basePort;
        if ((entry.Options.Address ?? address) is not { } place)
        {
            mistakes.Add(
                $"CamCube:FrontEndAddress is needed: where the front ends of this server ({name}) listen, "
                    + $"as in 192.168.1.10; "
                    + "127.0.0.1 is for this machine only."
            );
            return null;
        }

        return plan is null
            ? null
            : new FrontEndDefinition(name, place, port, plan) { IsPortChosen = entry.Options.Port is not null };
    }
}
