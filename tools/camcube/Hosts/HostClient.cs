using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text.Json;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>
/// Asks a running host over HTTP (docs/http-api.md). What goes wrong is a <see cref="ToolException"/> with one line.
/// </summary>
internal sealed class HostClient : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private readonly HostAddress _host;

    private readonly HttpClient _http;

    /// <summary>A client of the host at an address.</summary>
    // No proxy: a host answers on loopback, where a proxy of the environment would look at its own.
    public HostClient(HostAddress host)
        : this(
            host,
            new HttpClient(new SocketsHttpHandler { UseProxy = false, ConnectTimeout = TimeSpan.FromSeconds(5) })
            {
                Timeout = Timeout.InfiniteTimeSpan,
            }
        ) { }

    /// <summary>A client of a host that is reached in a way of its own.</summary>
    /// <param name="host">What is said where it is.</param>
    /// <param name="http">What reaches it; disposed with this.</param>
    public HostClient(HostAddress host, HttpClient http) => (_host, _http) = (host, http);

    /// <summary>The answer to a GET.</summary>
    public async Task<string> GetAsync(string path, CancellationToken cancel) =>
        (await SendAsync(HttpMethod.Get, path, null, Patience, cancel)).Text;

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
    public Task<HostAnswer> PostAsync(string path, HttpContent? body, TimeSpan work, CancellationToken cancel) =>
        SendAsync(HttpMethod.Post, path, body, work + Patience, cancel);

    /// <summary>The answer to a DELETE.</summary>
    public async Task<string> DeleteAsync(string path, CancellationToken cancel) =>
        (await SendAsync(HttpMethod.Delete, path, null, Patience, cancel)).Text;

    /// <summary>The host's status.</summary>
    public async Task<HostStatus> StatusAsync(CancellationToken cancel) =>
        Read<HostStatus>(await GetAsync("/api/status", cancel));

    /// <summary>Reads an answer.</summary>
    public T Read<T>(string json)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(json, ToolJson.Options) ?? throw NotCamCube();
        }
        catch (JsonException)
        {
            throw NotCamCube();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private async Task<HostAnswer> SendAsync(
        HttpMethod method,
        string path,
        HttpContent? body,
        TimeSpan patience,
        CancellationToken cancel
    )
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(patience);
        try
        {
            using var request = new HttpRequestMessage(method, new Uri(_host.Root, path)) { Content = body };
            using HttpResponseMessage response = await _http.SendAsync(request, limit.Token);
            if (!response.IsSuccessStatusCode)
            {
                throw new ToolException(ExitCode.Failed, await DetailAsync(response, limit.Token));
            }

            return new HostAnswer(
                await response.Content.ReadAsByteArrayAsync(limit.Token),
                response.Content.Headers.ContentType?.MediaType ?? ""
            );
        }
        catch (HttpRequestException e)
        {
            throw Unreachable(e.InnerException is SocketException socket ? socket.Message : e.Message);
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            throw Unreachable($"nothing came within {patience.TotalSeconds:F0} s");
        }
    }

    private static async Task<string> DetailAsync(HttpResponseMessage response, CancellationToken cancel)
    {
        try
        {
            HostProblem? problem = await response.Content.ReadFromJsonAsync<HostProblem>(ToolJson.Options, cancel);
            if (problem?.Detail is { Length: > 0 } detail)
            {
                return detail;
            }
        }
        catch (JsonException)
        {
            // Not a problem document: the status line has to do.
        }

        Uri? asked = response.RequestMessage?.RequestUri;
        return $"the host answered {(int)response.StatusCode} {response.ReasonPhrase} to {asked}.";
    }

    private ToolException Unreachable(string why) =>
        new(
            ExitCode.Usage,
            $"no host answers at {_host} ({why.TrimEnd('.')}); "
                + "start one with 'dotnet run -c Release --project src/CamCube.Host', "
                + $"or name another with --host or {CommonOptions.HostVariable}."
        );

    private ToolException NotCamCube() =>
        new(
            ExitCode.Usage,
            $"what answers at {_host} is no CamCube host of this version; "
                + $"name another with --host or {CommonOptions.HostVariable}."
        );
}
