using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using CamCube.Administration.Answers;

namespace CamCube.Administration;

/// <summary>
/// Asks a running host over HTTP, as docs/http-api.md describes it. Any thread; many at once. What goes wrong is a
/// <see cref="HostException"/> with one line; cancellation is an <see cref="OperationCanceledException"/>.
/// </summary>
public sealed class HostClient : IDisposable
{
    private readonly HttpClient _http;
    private readonly Uri _host;

    /// <summary>A client of the host at an address: any of its HTTP ports answers for the whole process.</summary>
    /// <param name="host">Scheme, host and port: <c>http://127.0.0.1:8080</c>.</param>
    // No proxy: a host answers on loopback, where a proxy of the environment would look at its own.
    public HostClient(Uri host)
        : this(
            host,
            new HttpClient(new SocketsHttpHandler { UseProxy = false, ConnectTimeout = TimeSpan.FromSeconds(5) })
        ) { }

    /// <summary>A client of a host that is reached in a way of its own.</summary>
    /// <param name="host">Scheme, host and port.</param>
    /// <param name="http">What reaches it; disposed with this. Its time-out is not used.</param>
    public HostClient(Uri host, HttpClient http)
    {
        ArgumentNullException.ThrowIfNull(host);
        ArgumentNullException.ThrowIfNull(http);
        (_host, _http) = (host, http);
        _http.Timeout = Timeout.InfiniteTimeSpan;
    }

    /// <summary>How long a host may take for an answer, the work that it was asked for not counted. Default
    /// 10 s.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>What runs.</summary>
    public Task<StatusAnswer> GetStatusAsync(CancellationToken cancel = default) =>
        AskAsync(HttpMethod.Get, "/api/status", AdministrationJson.Answers.StatusAnswer, cancel);

    /// <summary>How the cables are plugged, and what is wrong with them.</summary>
    public Task<CablingAnswer> GetCablingAsync(CancellationToken cancel = default) =>
        AskAsync(HttpMethod.Get, "/api/cabling", AdministrationJson.Answers.CablingAnswer, cancel);

    /// <summary>Whether clients should come; one that is not ready says why.</summary>
    public async Task<HealthAnswer> GetReadyAsync(CancellationToken cancel = default)
    {
        Exchange exchange = await ExchangeAsync(HttpMethod.Get, "/health/ready", null, TimeSpan.Zero, cancel)
            .ConfigureAwait(false);
        return exchange.Status is HttpStatusCode.OK or HttpStatusCode.ServiceUnavailable
            ? Read(exchange.Reply.Text, AdministrationJson.Answers.HealthAnswer)
            : throw Refusal(exchange);
    }

    /// <summary>Stops a server as if its power failed.</summary>
    /// <param name="server">Rank, or <c>x,y,z</c>.</param>
    /// <param name="cancel">Ends the wait.</param>
    public Task<ServerAnswer> StopServerAsync(string server, CancellationToken cancel = default) =>
        AskAsync(HttpMethod.Post, $"/api/servers/{Word(server)}/stop", AdministrationJson.Answers.ServerAnswer, cancel);

    /// <summary>Starts a server with empty memory.</summary>
    /// <param name="server">Rank, or <c>x,y,z</c>.</param>
    /// <param name="cancel">Ends the wait.</param>
    public Task<ServerAnswer> StartServerAsync(string server, CancellationToken cancel = default) =>
        AskAsync(
            HttpMethod.Post,
            $"/api/servers/{Word(server)}/start",
            AdministrationJson.Answers.ServerAnswer,
            cancel
        );

    /// <summary>Cuts a cable: packets in it are lost.</summary>
    /// <param name="server">One end: rank, or <c>x,y,z</c>.</param>
    /// <param name="link">The link there.</param>
    /// <param name="cancel">Ends the wait.</param>
    public Task<CableAnswer> CutCableAsync(string server, Link link, CancellationToken cancel = default) =>
        AskAsync(HttpMethod.Post, CablePath(server, link, "cut"), AdministrationJson.Answers.CableAnswer, cancel);

    /// <summary>Mends a cable.</summary>
    /// <param name="server">One end: rank, or <c>x,y,z</c>.</param>
    /// <param name="link">The link there.</param>
    /// <param name="cancel">Ends the wait.</param>
    public Task<CableAnswer> MendCableAsync(string server, Link link, CancellationToken cancel = default) =>
        AskAsync(HttpMethod.Post, CablePath(server, link, "mend"), AdministrationJson.Answers.CableAnswer, cancel);

    /// <summary>The fault rules in force.</summary>
    public Task<FaultsAnswer> GetFaultsAsync(CancellationToken cancel = default) =>
        AskAsync(HttpMethod.Get, "/api/faults", AdministrationJson.Answers.FaultsAnswer, cancel);

    /// <summary>Adds a fault rule.</summary>
    /// <param name="kind">Its kind: <c>loss</c>.</param>
    /// <param name="arguments">Its arguments: docs/faults.md.</param>
    /// <param name="cancel">Ends the wait.</param>
    public Task<FaultRuleAnswer> AddFaultAsync(
        string kind,
        IEnumerable<KeyValuePair<string, string>> arguments,
        CancellationToken cancel = default
    ) =>
        AskAsync(
            HttpMethod.Post,
            $"/api/faults/{Word(kind)}{Query(arguments)}",
            AdministrationJson.Answers.FaultRuleAnswer,
            cancel
        );

    /// <summary>Ends a fault rule, or all of them; the answer is what remains.</summary>
    /// <param name="id">Its number; null: all.</param>
    /// <param name="cancel">Ends the wait.</param>
    public Task<FaultsAnswer> EndFaultsAsync(int? id, CancellationToken cancel = default) =>
        AskAsync(
            HttpMethod.Delete,
            id is { } number ? $"/api/faults/{number}" : "/api/faults",
            AdministrationJson.Answers.FaultsAnswer,
            cancel
        );

    /// <summary>The commands of a service.</summary>
    /// <param name="server">Rank, or <c>x,y,z</c>.</param>
    /// <param name="service">Its name.</param>
    /// <param name="cancel">Ends the wait.</param>
    public Task<CommandsAnswer> GetCommandsAsync(string server, string service, CancellationToken cancel = default) =>
        AskAsync(
            HttpMethod.Get,
            $"/api/servers/{Word(server)}/services/{Word(service)}/commands",
            AdministrationJson.Answers.CommandsAnswer,
            cancel
        );

    /// <summary>Starts a service that threw or was stopped.</summary>
    /// <param name="server">Rank, or <c>x,y,z</c>.</param>
    /// <param name="service">Its name.</param>
    /// <param name="cancel">Ends the wait.</param>
    public Task<ServiceAnswer> StartServiceAsync(string server, string service, CancellationToken cancel = default) =>
        AskAsync(
            HttpMethod.Post,
            $"/api/servers/{Word(server)}/services/{Word(service)}/start",
            AdministrationJson.Answers.ServiceAnswer,
            cancel
        );

    /// <summary>Puts new code in the place of a service, server by server.</summary>
    /// <param name="service">Its name.</param>
    /// <param name="from">Folder or assembly, relative to the host's root; null: from where the host loaded it.</param>
    /// <param name="work">Time it may take.</param>
    /// <param name="cancel">Ends the wait, not the reload.</param>
    public async Task<ReloadAnswer> ReloadServiceAsync(
        string service,
        string? from,
        TimeSpan work,
        CancellationToken cancel = default
    )
    {
        string query = from is null ? "" : Query([KeyValuePair.Create("from", from)]);
        HostReply reply = await AskAsync(
                HttpMethod.Post,
                $"/api/services/{Word(service)}/reload{query}",
                null,
                work,
                cancel
            )
            .ConfigureAwait(false);
        return Read(reply.Text, AdministrationJson.Answers.ReloadAnswer);
    }

    /// <summary>Runs a command of a service.</summary>
    /// <param name="server">Rank, or <c>x,y,z</c>.</param>
    /// <param name="service">Its name.</param>
    /// <param name="command">The command's name.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="body">What is sent with it, or null.</param>
    /// <param name="work">Time the command itself may take.</param>
    /// <param name="cancel">Ends the wait, and the command's.</param>
    public Task<HostReply> RunCommandAsync(
        string server,
        string service,
        string command,
        IEnumerable<KeyValuePair<string, string>> arguments,
        HttpContent? body,
        TimeSpan work,
        CancellationToken cancel = default
    ) =>
        AskAsync(
            HttpMethod.Post,
            $"/api/servers/{Word(server)}/services/{Word(service)}/{Word(command)}{Query(arguments)}",
            body,
            work,
            cancel
        );

    /// <summary>Asks anything.</summary>
    /// <param name="method">GET, POST or DELETE.</param>
    /// <param name="path">Path and query.</param>
    /// <param name="body">What is sent with it, or null.</param>
    /// <param name="work">Time the host may take for the work itself.</param>
    /// <param name="cancel">Ends the wait.</param>
    public async Task<HostReply> AskAsync(
        HttpMethod method,
        string path,
        HttpContent? body,
        TimeSpan work,
        CancellationToken cancel = default
    )
    {
        Exchange exchange = await ExchangeAsync(method, path, body, work, cancel).ConfigureAwait(false);
        return (int)exchange.Status is >= 200 and < 300 ? exchange.Reply : throw Refusal(exchange);
    }

    /// <summary>Reads an answer; what it does not know, it passes over.</summary>
    /// <exception cref="HostException">It is no such answer.</exception>
    public T Read<T>(string json, JsonTypeInfo<T> type)
    {
        try
        {
            return JsonSerializer.Deserialize(json, type) ?? throw NotCamCube();
        }
        catch (JsonException)
        {
            throw NotCamCube();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private async Task<T> AskAsync<T>(HttpMethod method, string path, JsonTypeInfo<T> type, CancellationToken cancel) =>
        Read((await AskAsync(method, path, null, TimeSpan.Zero, cancel).ConfigureAwait(false)).Text, type);

    private async Task<Exchange> ExchangeAsync(
        HttpMethod method,
        string path,
        HttpContent? body,
        TimeSpan work,
        CancellationToken cancel
    )
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(work + Patience);
        try
        {
            using var request = new HttpRequestMessage(method, new Uri(_host, path)) { Content = body };
            using HttpResponseMessage response = await _http.SendAsync(request, limit.Token).ConfigureAwait(false);
            byte[] bytes = await response.Content.ReadAsByteArrayAsync(limit.Token).ConfigureAwait(false);
            HostReply reply = new(bytes, response.Content.Headers.ContentType?.MediaType ?? "");
            return new Exchange(response.StatusCode, $"{response.ReasonPhrase} to {request.RequestUri}", reply);
        }
        catch (HttpRequestException e)
        {
            throw Unreachable(e.InnerException is SocketException socket ? socket.Message : e.Message);
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            throw Unreachable($"nothing came within {(work + Patience).TotalSeconds:0.#} s");
        }
    }

    private static HostException Refusal(Exchange exchange)
    {
        try
        {
            if (
                JsonSerializer.Deserialize(exchange.Reply.Bytes, AdministrationJson.Answers.ProblemAnswer) is
                { Detail: { Length: > 0 } detail }
            )
            {
                return new HostException(HostFailure.Refused, detail, exchange.Status);
            }
        }
        catch (JsonException)
        {
            // Not a problem document: the status has to do.
        }

        return new HostException(
            HostFailure.Refused,
            $"the host answered {(int)exchange.Status} {exchange.Words}.",
            exchange.Status
        );
    }

    private HostException Unreachable(string why) =>
        new(HostFailure.Unreachable, $"no host answers at {Address} ({why.TrimEnd('.')})");

    private HostException NotCamCube() =>
        new(HostFailure.NotCamCube, $"what answers at {Address} is no CamCube host of this version");

    private string Address => _host.ToString().TrimEnd('/');

    private static string Word(string word) => Uri.EscapeDataString(word);

    private static string CablePath(string server, Link link, string order) =>
        $"/api/cables/{Word(server)}/{Word(link.Name())}/{order}";

    private static string Query(IEnumerable<KeyValuePair<string, string>> arguments)
    {
        string query = string.Join('&', arguments.Select(a => $"{Word(a.Key)}={Word(a.Value)}"));
        return query.Length == 0 ? "" : $"?{query}";
    }

    private sealed record Exchange(HttpStatusCode Status, string Words, HostReply Reply);
}
