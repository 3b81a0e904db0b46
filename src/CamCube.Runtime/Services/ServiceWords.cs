namespace CamCube.Runtime.Services;

/// <summary>Why a service, or a command of one, cannot be had: one line for people. Any thread.</summary>
internal static class ServiceWords
{
    public static string NoService(string service, Coordinate server, IEnumerable<string> there)
    {
        string[] names = [.. there];
        return $"server {server} has no service '{CommandText.Shown(service)}'; {Instead(service, names)}";
    }

    public static string NoCommand(string service, string command, IReadOnlyList<ServiceCommand> there) =>
        there.Count == 0
            ? $"service '{service}' has no commands."
            : $"service '{service}' has no command '{CommandText.Shown(command)}'; "
                + $"{Instead(command, [.. there.Select(c => c.Name)])}";

    public static string NotRunning(string service, Coordinate server, ServiceState state, string? fault)
    {
        string why = fault is null ? "" : $" (it threw {fault})";
        return state == ServiceState.Faulted
            ? $"service '{service}' on server {server} waits for its restart{why}."
            : $"service '{service}' on server {server} is stopped{why}.";
    }

    private static string Instead(string name, IReadOnlyCollection<string> there)
    {
        string all = $"there {(there.Count == 1 ? "is" : "are")} {string.Join(", ", there)}.";
        return NearestName.Find(CommandText.Shown(name), there) is { } nearest
            ? $"did you mean {nearest}? T{all[1..]}"
            : all;
    }
}
