using System.Globalization;
using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.ValueTexts;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Settings;

/// <summary>Reads the host's own settings and those of its servers, and checks their ranges.</summary>
internal sealed class OptionsReader(SettingsBinder binder, Mistakes mistakes)
{
    private const int LongestClusterId = 64;
    private const int MostPackets = 1_000_000;
    private const int MostThreads = 256;
    private const long MostBytes = 1L << 50;

    /// <summary>Reads what stands directly in <c>CamCube</c>, Http and Liveness included.</summary>
    /// <param name="section">The section.</param>
    /// <param name="shims">Names of the shims, whose sections belong to them.</param>
    public (CamCubeOptions Host, ServerOptions Servers) Read(IConfigurationSection section, IEnumerable<string> shims)
    {
        CamCubeOptions host = new();
        ServerOptions servers = new();
        binder.Bind(section, [host, servers], ["FrontEnds", "Services", "LinkProviders", .. shims]);
        host.Shape = host.Shape with { ParallelCables = host.ParallelCables };

        CheckClusterId(host.ClusterId);
        Whole("CamCube:HopLimit", servers.HopLimit, 0, ushort.MaxValue);
        Whole("CamCube:PacketBudget", servers.PacketBudget, 64, MostPackets);
        Whole("CamCube:GateLimit", servers.GateLimit, 1, MostPackets);
        Whole("CamCube:StepBudget", servers.StepBudget, 1, MostPackets);
        Duration("CamCube:StopTimeout", servers.StopTimeout, TimeSpan.Zero, TimeSpan.FromHours(1));
        Whole("CamCube:Work:Threads", servers.Work.Threads, 0, MostThreads);
        Whole("CamCube:Work:DiskThreads", servers.Work.DiskThreads, 1, MostThreads);
        Whole("CamCube:Work:ShortLimit", servers.Work.ShortLimit, 1, MostPackets);
        Whole("CamCube:Work:LongLimit", servers.Work.LongLimit, 1, MostPackets);
        Whole("CamCube:Work:DiskLimit", servers.Work.DiskLimit, 1, MostPackets);
        Whole("CamCube:Work:LostLimit", servers.Work.LostLimit, 0, 1_024);
        Size("CamCube:Memory:ProcessLimit", servers.Memory.ProcessLimit);
        Size("CamCube:Memory:ServerLimit", servers.Memory.ServerLimit);
        Size("CamCube:Memory:ServiceLimit", servers.Memory.ServiceLimit);
        LivenessOptions liveness = servers.Liveness;
        Duration(
            "CamCube:Liveness:DetectionTime",
            liveness.DetectionTime,
            TimeSpan.FromMilliseconds(10),
            TimeSpan.FromSeconds(60)
        );
        Duration("CamCube:Liveness:ReturnTimeout", liveness.ReturnTimeout, TimeSpan.Zero, TimeSpan.FromHours(1));
        Watch(host.Watch);
        Duration("CamCube:Reload:Timeout", host.Reload.Timeout, TimeSpan.FromMilliseconds(50), TimeSpan.FromHours(1));
        return (host, servers);
    }

    /// <summary>The entries of <c>CamCube:Services</c> or another section of named entries, as the host reads
    /// them.</summary>
    /// <param name="section">The section.</param>
    /// <typeparam name="T">What the host reads of each.</typeparam>
    public IReadOnlyList<SettingsEntry<T>> ReadEntries<T>(IConfigurationSection section)
        where T : class, new()
    {
        List<SettingsEntry<T>> entries = [];
        if (!string.IsNullOrEmpty(section.Value))
        {
            mistakes.Value(section.Path, section.Value, "this is a group of settings");
        }

        string[] own = [.. SettingsBinder.PropertiesOf(typeof(T)).Select(p => p.Name)];
        foreach (IConfigurationSection child in section.GetChildren())
        {
            if (!string.IsNullOrEmpty(child.Value))
            {
                mistakes.Value(child.Path, child.Value, $"this is a group of settings: {string.Join(", ", own)}");
                continue;
            }

            T options = new();
            string[] others = [.. child.GetChildren().Select(c => c.Key).Except(own, StringComparer.OrdinalIgnoreCase)];
            binder.Bind(child, [options], others);
            entries.Add(new SettingsEntry<T>(child.Key, child, options));
        }

        return entries;
    }

    /// <summary>Checks the ranges of a service's queue.</summary>
    public void CheckQueue(SettingsEntry<ServiceEntryOptions> entry)
    {
        QueueOptions queue = entry.Options.Queue;
        Whole($"{entry.Path}:Queue:LimitPackets", queue.LimitPackets, 1, MostPackets);
        Whole($"{entry.Path}:Queue:Weight", queue.Weight, 1, 1_000);
        Whole($"{entry.Path}:Queue:Priority", queue.Priority, 1, 7);
    }

    private void Watch(WatchOptions watch)
    {
        TimeSpan least = TimeSpan.FromMilliseconds(50),
            most = TimeSpan.FromDays(1);
        Duration("CamCube:Watch:HungAfter", watch.HungAfter, least, most);
        Duration("CamCube:Watch:DeadAfter", watch.DeadAfter, watch.HungAfter > least ? watch.HungAfter : least, most);
        Duration("CamCube:Watch:SlowCallback", watch.SlowCallback, TimeSpan.FromMilliseconds(1), TimeSpan.FromHours(1));
        Duration("CamCube:Watch:HeldAfter", watch.HeldAfter, TimeSpan.FromSeconds(1), most);
        if (watch.HeldShare is not (> 0 and <= 1))
        {
            mistakes.Value(
                "CamCube:Watch:HeldShare",
                watch.HeldShare.ToString(CultureInfo.InvariantCulture),
                "allowed is above 0 to 1"
            );
        }
    }

    /// <summary>The cabling's rule, held to where nothing is cabled as well: settings that are right stay right with
    /// another shim.</summary>
    private void CheckClusterId(string name)
    {
        if (name.Length is 0 or > LongestClusterId || name.Any(static c => c is < ' ' or > '~'))
        {
            mistakes.Value(
                "CamCube:ClusterId",
                name,
                $"allowed are 1 to {LongestClusterId} printable ASCII characters"
            );
        }
    }

    private void Whole(string setting, int value, int least, int most)
    {
        if (value < least || value > most)
        {
            mistakes.Value(setting, value.ToString(CultureInfo.InvariantCulture), $"allowed is {least} to {most}");
        }
    }

    private void Size(string setting, long? value)
    {
        if (value is < 0 or > MostBytes)
        {
            mistakes.Value(
                setting,
                value.Value.ToString(CultureInfo.InvariantCulture),
                $"allowed is 0 to {SizeText.Format(MostBytes)}"
            );
        }
    }

    private void Duration(string setting, TimeSpan value, TimeSpan least, TimeSpan most)
    {
        if (value < least || value > most)
        {
            mistakes.Value(
                setting,
                DurationText.Format(value),
                $"allowed is {DurationText.Format(least)} to {DurationText.Format(most)}"
            );
        }
    }
}
