using System.Globalization;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>The trees of what runs at the servers of a host. What goes wrong is a
/// <see cref="ToolException"/>.</summary>
/// <param name="host">The host.</param>
internal sealed class TreesHost(ToolHost host)
{
    /// <summary>Those of a job that distributes a file, in JSON.</summary>
    public async Task<string> OfJobAsync(string job, CancellationToken cancel)
    {
        var distribution = new DistributionHost(host);
        string server = await distribution.ServerOfAsync(job, cancel);
        return await distribution.AskAsync(server, $"trees?job={Uri.EscapeDataString(job)}", cancel);
    }

    /// <summary>Those of a group of the collectives, in JSON.</summary>
    /// <param name="group">Its name.</param>
    /// <param name="rank">The member whose own tree is asked for; null: those of rank 0.</param>
    /// <param name="cancel">Ends it.</param>
    public async Task<string> OfGroupAsync(string group, int? rank, CancellationToken cancel)
    {
        var collectives = new CollectivesHost(host);
        foreach (string server in CollectivesHost.ServersOf(await collectives.StatusAsync(cancel)))
        {
            string groups = await collectives.AskAsync(server, "groups", cancel);
            if (collectives.Read<CollectiveGroupAnswer[]>(groups).Any(known => known.Name == group))
            {
                string of = rank is { } one ? string.Create(CultureInfo.InvariantCulture, $"&rank={one}") : "";
                return await collectives.AskAsync(server, $"trees?group={Uri.EscapeDataString(group)}{of}", cancel);
            }
        }

        throw new ToolException(
            ExitCode.Failed,
            $"no group {group} is open at a server of this host; see 'camcube collective groups'."
        );
    }

    /// <summary>Reads an answer.</summary>
    public TreeRowAnswer[] Read(string json) => host.Read<TreeRowAnswer[]>(json);
}
