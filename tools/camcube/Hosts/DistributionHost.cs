using System.Net.Http.Headers;
using CamCube.Administration.Answers;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>The distribution of files, as the commands ask the servers of a host for it. What goes wrong is a
/// <see cref="ToolException"/>.</summary>
/// <param name="host">The host.</param>
internal sealed class DistributionHost(ToolHost host)
{
    private const string Service = "distribution";

    // A part of a file: below what a command may have with it.
    private const int PartBytes = 4 << 20;

    private static readonly TimeSpan Work = TimeSpan.FromSeconds(30);

    /// <summary>The host's status.</summary>
    public Task<StatusAnswer> StatusAsync(CancellationToken cancel) => host.StatusAsync(cancel);

    /// <summary>The servers that distribute files; at least one.</summary>
    public static string[] ServersOf(StatusAnswer status, string? only = null) =>
        ServiceServers.Of(
            status,
            Service,
            "the distribution of files; a host has it with --Services:distribution:Enabled=true --DataFolder=FOLDER.",
            only
        );

    /// <summary>Asks a server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="command">The command, and its arguments.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public Task<string> AskAsync(string server, string command, CancellationToken cancel) =>
        host.PostAsync($"/api/servers/{server}/services/{Service}/{command}", Work, cancel);

    /// <summary>Reads an answer.</summary>
    public T Read<T>(string json) => host.Read<T>(json);

    /// <summary>Brings a file of this machine into a server's folder.</summary>
    /// <param name="server">The server.</param>
    /// <param name="file">The file.</param>
    /// <param name="name">Its name there.</param>
    /// <param name="replaces">Whether a file of this name is replaced.</param>
    /// <param name="moved">Is told how many bytes are there.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task PutAsync(
        string server,
        Stream file,
        string name,
        bool replaces,
        Action<long> moved,
        CancellationToken cancel
    )
    {
        long upload = Random.Shared.NextInt64(1, long.MaxValue),
            offset = 0;
        byte[] part = new byte[PartBytes];
        for (bool isLast = false; !isLast; )
        {
            int length = await file.ReadAtLeastAsync(part, part.Length, throwOnEndOfStream: false, cancel);
            isLast = length < part.Length;
            using var body = new ByteArrayContent(part, 0, length);
            body.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
            string query =
                $"name={Uri.EscapeDataString(name)}&upload={upload}&offset={offset}"
                + $"&isLast={(isLast ? "true" : "false")}"
                + (replaces ? "&replaces=true" : "");
            await host.PostAsync($"/api/servers/{server}/services/{Service}/put?{query}", body, Work, cancel);
            offset += length;
            moved(offset);
        }
    }

    /// <summary>The jobs that were begun at a server.</summary>
    public async Task<DistributionJobAnswer[]> JobsAsync(string server, CancellationToken cancel) =>
        Read<DistributionJobAnswer[]>(await AskAsync(server, "jobs", cancel));

    /// <summary>Where a job was begun.</summary>
    /// <exception cref="ToolException">No server of the host knows it.</exception>
    public async Task<string> ServerOfAsync(string job, CancellationToken cancel)
    {
        foreach (string server in ServersOf(await host.StatusAsync(cancel)))
        {
            if ((await JobsAsync(server, cancel)).Any(known => known.Id == job))
            {
                return server;
            }
        }

        throw new ToolException(
            ExitCode.Failed,
            $"no server of this host has begun a job {job}, or it is long over; see 'camcube distribute list'."
        );
    }
}
