using CamCube.ValueTexts;

namespace CamCube.Runtime.Services;

/// <summary>Why a service, or a command of one, cannot be had: one line for people. Any thread.</summary>
public static class ServiceWords
{
    /// <summary>A server has no service of this name.</summary>
    /// <param name="service">What was asked for.</param>
    /// <param name="server">Where.</param>
    /// <param name="there">The services that it has.</param>
    public static string NoService(string service, Coordinate server, IEnumerable<string> there)
    {
        string[] names = [.. there];
        return $"server {server} has no service '{CommandText.Shown(service)}'; {Instead(service, names)}";
    }

    /// <summary>A service has no command of this name.</summary>
    /// <param name="service">The service.</param>
    /// <param name="command">What was asked for.</param>
    /// <param name="there">The commands that it has.</param>
    public static string NoCommand(string service, string command, IReadOnlyList<ServiceCommand> there) =>
        there.Count == 0
            ? $"service '{service}' has no commands."
            : $"service '{service}' has no command '{CommandText.Shown(command)}'; "
                + $"{Instead(command, [.. there.Select(c => c.Name)])}";

    /// <summary>A service does not run.</summary>
    /// <param name="service">The service.</param>
    /// <param name="server">Where.</param>
    /// <param name="state">How it is.</param>
    /// <param name="fault">What it threw last, if it did.</param>
    public static string NotRunning(string service, Coordinate server, ServiceState state, string? fault)
    {
        string why = fault is null ? "" : $" (it threw {fault})";
        return state == ServiceState.Faulted
            ? $"service '{service}' on server {server} waits for its restart{why}."
            : $"service '{service}' on server {server} is stopped{why}.";
    }

    /// <summary>A service cannot do without others that are not there.</summary>
    /// <param name="contracts">What they would have to offer.</param>
    public static string Missing(IReadOnlyList<string> contracts) =>
        contracts.Count == 1
            ? $"no service here offers {contracts[0]}, which it needs"
            : $"no services here offer {string.Join(", ", contracts)}, which it needs";

    private static string Instead(string name, IReadOnlyCollection<string> there)
    {
        string all = $"there {(there.Count == 1 ? "is" : "are")} {string.Join(", ", there)}.";
        return NearestName.Find(CommandText.Shown(name), there) is { } nearest
            ? $"did you mean {nearest}? T{all[1..]}"
            : all;
    }
}
