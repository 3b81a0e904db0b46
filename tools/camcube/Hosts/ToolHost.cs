using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using CamCube.Administration;
using CamCube.Administration.Answers;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>
/// A running host as the commands ask it (docs/http-api.md). What goes wrong is a <see cref="ToolException"/> with one
/// line that says what to do.
/// </summary>
internal sealed class ToolHost : IDisposable
{
    private readonly HostClient _client;

    /// <summary>The host at an address.</summary>
    public ToolHost(HostAddress host) => _client = new HostClient(host.Root);

    /// <summary>A host that is reached in a way of its own.</summary>
    /// <param name="host">What is said where it is.</param>
    /// <param name="http">What reaches it; disposed with this.</param>
    public ToolHost(HostAddress host, HttpClient http) => _client = new HostClient(host.Root, http);

    /// <summary>The answer to a GET.</summary>
    public async Task<string> GetAsync(string path, CancellationToken cancel) =>
        (await AskAsync(HttpMethod.Get, path, null, TimeSpan.Zero, cancel)).Text;

    /// <summary>The answer to a POST.</summary>
    /// <param name="path">Path and query.</param>
    /// <param name="work">Time the host may take for the work itself.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task<string> PostAsync(string path, TimeSpan work, CancellationToken cancel) =>
        (await PostAsync(path, null, work, cancel)).Text;

    /// <summary>The answer to a POST with a body.</summary>
    /// <param name="path">Path and query.</param>
    /// <param name="body">What is sent with it, or nothing.</param>
    /// <param name="work">Time the host may take for the work itself.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public Task<HostReply> PostAsync(string path, HttpContent? body, TimeSpan work, CancellationToken cancel) =>
        AskAsync(HttpMethod.Post, path, body, work, cancel);

    /// <summary>The answer to a DELETE.</summary>
    public async Task<string> DeleteAsync(string path, CancellationToken cancel) =>
        (await AskAsync(HttpMethod.Delete, path, null, TimeSpan.Zero, cancel)).Text;

    /// <summary>The host's status.</summary>
    public async Task<StatusAnswer> StatusAsync(CancellationToken cancel) =>
        Read<StatusAnswer>(await GetAsync("/api/status", cancel));

    /// <summary>Reads an answer of the host, or of one of its services.</summary>
    public T Read<T>(string json)
    {
        JsonTypeInfo type =
            AdministrationJson.Answers.GetTypeInfo(typeof(T)) ?? ToolJson.Options.GetTypeInfo(typeof(T));
        try
        {
            return _client.Read(json, (JsonTypeInfo<T>)type);
        }
        catch (HostException e)
        {
            throw Explained(e);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    private async Task<HostReply> AskAsync(
        HttpMethod method,
        string path,
        HttpContent? body,
        TimeSpan work,
        CancellationToken cancel
    )
    {
        try
        {
            return await _client.AskAsync(method, path, body, work, cancel);
        }
        catch (HostException e)
        {
            throw Explained(e);
        }
    }

    private static ToolException Explained(HostException e) =>
        e.Failure switch
        {
            HostFailure.Refused => new ToolException(ExitCode.Failed, e.Message),
            HostFailure.Unreachable => new ToolException(
                ExitCode.Usage,
                $"{e.Message}; start one with 'camcube run', "
                    + $"or name another with --host or {CommonOptions.HostVariable}."
            ),
            _ => new ToolException(
                ExitCode.Usage,
                $"{e.Message}; name another with --host or {CommonOptions.HostVariable}."
            ),
        };
}
