using System.Net;
using CamCube.Administration.Answers;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>Finds where a front end of a host's servers is.</summary>
internal static class FrontEndFinder
{
    /// <summary>The front end of a host's server.</summary>
    /// <param name="address">The host.</param>
    /// <param name="server">The server; null: the first that has one.</param>
    /// <param name="frontEnd">Its name.</param>
    /// <param name="hasNone">What is said behind the server that has none.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public static async Task<Uri> FindAsync(
        HostAddress address,
        ServerName? server,
        string frontEnd,
        string hasNone,
        CancellationToken cancel
    )
    {
        using var host = new ToolHost(address);
        StatusAnswer status = await host.StatusAsync(cancel);
        string? at = server?.In(status.Torus, "--at").ToString();
        ServerAnswer? found = status.Servers.FirstOrDefault(one =>
            (at is null || one.Coordinate == at) && one.Ports.ContainsKey(frontEnd)
        );
        return found is not null
            ? RootOf(address, status, found, frontEnd)
            : throw new ToolException(
                ExitCode.Unavailable,
                $"{(at is null ? "no server of this host" : $"server {at}")} {hasNone}"
            );
    }

    /// <summary>Whether servers of a host have a front end.</summary>
    public static async Task<bool> HasAsync(HostAddress address, string frontEnd, CancellationToken cancel)
    {
        using var host = new ToolHost(address);
        StatusAnswer status = await host.StatusAsync(cancel);
        return status.Servers.Any(one => one.Ports.ContainsKey(frontEnd));
    }

    /// <summary>The front ends of all servers of a host that have one.</summary>
    public static async Task<IReadOnlyList<Uri>> FindAllAsync(
        HostAddress address,
        string frontEnd,
        string hasNone,
        CancellationToken cancel
    )
    {
        using var host = new ToolHost(address);
        StatusAnswer status = await host.StatusAsync(cancel);
        Uri[] roots =
        [
            .. status
                .Servers.Where(one => one.Ports.ContainsKey(frontEnd))
                .Select(one => RootOf(address, status, one, frontEnd)),
        ];
        return roots.Length > 0
            ? roots
            : throw new ToolException(ExitCode.Unavailable, $"no server of this host {hasNone}");
    }

    private static Uri RootOf(HostAddress address, StatusAnswer status, ServerAnswer server, string frontEnd)
    {
        string place = status.FrontEnds.First(one => one.Name == frontEnd).Address;
        bool isEverywhere = !IPAddress.TryParse(place, out IPAddress? ip) || IPAddress.IsLoopback(ip) || IsAny(ip);
        var root = new UriBuilder(Uri.UriSchemeHttp, address.Root.Host, server.Ports[frontEnd]);
        if (!isEverywhere)
        {
            root.Host = place;
        }

        return root.Uri;
    }

    private static bool IsAny(IPAddress ip) => ip.Equals(IPAddress.Any) || ip.Equals(IPAddress.IPv6Any);
}
