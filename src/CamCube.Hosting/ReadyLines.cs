using System.Globalization;
using CamCube.Hosting.FrontEnds;

namespace CamCube.Hosting;

/// <summary>What the host prints when it is ready.</summary>
internal static class ReadyLines
{
    /// <summary>Where the command line looks when nobody tells it.</summary>
    private const int UsualHttpPort = 8080;

    private const string Greeting = @"printf 'set greeting 0 0 5\r\nhello\r\nget greeting\r\nquit\r\n' | nc";

    /// <summary>The line that says so, the memory, and what to try.</summary>
    /// <param name="plan">What was decided.</param>
    /// <param name="texts">What front ends say of themselves.</param>
    /// <param name="tool">How the command line is called.</param>
    public static IEnumerable<string> Of(HostPlan plan, IEnumerable<(string Name, string Text)> texts, string tool)
    {
        string servers = string.Create(
            CultureInfo.InvariantCulture,
            $"{plan.LocalServers} server{(plan.LocalServers == 1 ? "" : "s")}"
        );
        Dictionary<string, string> told = texts.ToDictionary(one => one.Name, one => one.Text, StringComparer.Ordinal);
        IEnumerable<string> portless = plan
            .FrontEnds.Where(f => !f.HasPort)
            .Select(f => $"{f.Name} {told.GetValueOrDefault(f.Name)}".TrimEnd());
        string ports = string.Join(
            ", ",
            portless.Concat(
                plan.Ports.Select(range =>
                    $"{range.Name} {range}{(told.TryGetValue(range.Name, out string? text) ? $" {text}" : "")}"
                )
            )
        );
        yield return $"CamCube ready: {servers} ({plan.Options.Shape}), shim {plan.Factory.Name}, {ports}";
        foreach (string line in plan.MemoryLines())
        {
            yield return line;
        }

        yield return "Try:";
        if (plan.Ports.FirstOrDefault(range => range.Name == "memcached") is { } memcached)
        {
            yield return $"  {Greeting} {PortRange.Reach(memcached.Address)} {memcached.First}";
        }

        string url = $"http://{PortRange.Host(PortRange.Reach(plan.Http.Address))}:{plan.Http.First}";
        yield return $"  curl {url}/api/status";
        string host = plan.Http.First == UsualHttpPort ? "" : $" --host {url}";
        yield return $"  {tool} status{host}";
    }
}
