using System.Diagnostics;
using System.Net;
using System.Text.Json;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>
/// The key-value store as the commands ask it: over its HTTP front end (docs/key-value.md), which takes keys and values
/// of all bytes and lengths and needs no right to control the host. What goes wrong is a <see cref="ToolException"/>.
/// </summary>
internal sealed class KeyValueClient : IDisposable
{
    private const string FrontEnd = "kv-http";
    private const string HasNone =
        "answers for the key-value store now; a host has it with --Services:kv:Enabled=true --DataFolder=FOLDER.";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private readonly HttpClient _http = new(
        new SocketsHttpHandler { UseProxy = false, ConnectTimeout = TimeSpan.FromSeconds(5) }
    )
    {
        Timeout = Timeout.InfiniteTimeSpan,
    };

    private readonly Uri _root;

    /// <summary>The front end at an address.</summary>
    public KeyValueClient(Uri root) => _root = root;

    /// <summary>The front end of a host's server.</summary>
    /// <param name="address">The host.</param>
    /// <param name="server">The server; null: the first that has one.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public static async Task<KeyValueClient> FindAsync(
        HostAddress address,
        ServerName? server,
        CancellationToken cancel
    ) => new(await FrontEndFinder.FindAsync(address, server, FrontEnd, HasNone, cancel));

    /// <summary>The front ends of all servers of a host that have one.</summary>
    public static Task<IReadOnlyList<Uri>> FindAllAsync(HostAddress address, CancellationToken cancel) =>
        FrontEndFinder.FindAllAsync(address, FrontEnd, HasNone, cancel);

    /// <summary>Asks.</summary>
    /// <param name="method">GET, HEAD, PUT, DELETE or POST.</param>
    /// <param name="query">The key, or the prefix of a list, and the rest, as the front end reads it.</param>
    /// <param name="body">The value, or null.</param>
    /// <param name="condition">A header with a condition, or null.</param>
    /// <param name="work">Time that the store may take for the work itself.</param>
    /// <param name="cancel">Ctrl+C.</param>
    /// <returns>An answer of 200 and more. Others are thrown with what the front end says.</returns>
    public async Task<KeyValueReply> AskAsync(
        HttpMethod method,
        string query,
        HttpContent? body,
        (string Name, string Value)? condition,
        TimeSpan work,
        CancellationToken cancel
    ) => await AskAsync(method, query, body, condition, work, null, null, cancel);

    /// <summary>Asks, with a value of any length; while bytes of it move nothing times out.</summary>
    /// <param name="method">GET, HEAD, PUT or DELETE.</param>
    /// <param name="query">The key and the rest.</param>
    /// <param name="body">The value, or null.</param>
    /// <param name="condition">A header with a condition, or null.</param>
    /// <param name="work">Time that the store may take for the work itself.</param>
    /// <param name="moving">Whom <paramref name="body"/> tells how far it is, or who brings the answer; or
    /// null.</param>
    /// <param name="into">Where the value of an answer of 200 goes, told its headers; null: into the reply.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task<KeyValueReply> AskAsync(
        HttpMethod method,
        string query,
        HttpContent? body,
        (string Name, string Value)? condition,
        TimeSpan work,
        MovingBytes? moving,
        Func<KeyValueReply, Stream>? into,
        CancellationToken cancel
    )
    {
        using var request = new HttpRequestMessage(method, new Uri(_root, $"/kv/?{query}")) { Content = body };
        // One that is too long is refused before it is sent.
        request.Headers.ExpectContinue = body is MovingContent ? true : null;
        if (condition is var (name, value))
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(Patience + work);
        moving?.Begin(limit, Patience + work);
        bool isChange = method != HttpMethod.Get && method != HttpMethod.Head;
        try
        {
            long began = Stopwatch.GetTimestamp();
            using HttpResponseMessage answer = await _http.SendAsync(
                request,
                HttpCompletionOption.ResponseHeadersRead,
                limit.Token
            );
            var reply = new KeyValueReply(
                (int)answer.StatusCode,
                KeyValueReply.Of(answer.Headers, answer.Content.Headers),
                [],
                0
            );
            byte[] bytes = [];
            if (into is null || moving is null || answer.StatusCode != HttpStatusCode.OK)
            {
                bytes = await answer.Content.ReadAsByteArrayAsync(limit.Token);
            }
            else
            {
                await using Stream to = into(reply);
                await moving.CopyAsync(await answer.Content.ReadAsStreamAsync(limit.Token), to, limit.Token);
            }

            reply = reply with { Body = bytes, Micros = Stopwatch.GetElapsedTime(began).TotalMicroseconds };
            return answer.IsSuccessStatusCode ? reply : throw Refusal(reply);
        }
        catch (HttpRequestException e)
        {
            string end =
                isChange && e.HttpRequestError != HttpRequestError.ConnectionError
                    ? "; whether it was done is not known"
                    : "";
            throw new ToolException(ExitCode.Unavailable, $"{_root.Authority} gave no answer ({e.Message}){end}.");
        }
        catch (HttpIOException e)
        {
            throw new ToolException(ExitCode.Unavailable, $"{_root.Authority} broke off in the middle ({e.Message}).");
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            throw new ToolException(
                ExitCode.Unavailable,
                $"{_root.Authority} gave no answer in time{(isChange ? "; whether it was done is not known" : "")}."
            );
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    /// <summary>How the tool ends after a refusal.</summary>
    public static int ExitCodeOf(int status) =>
        status switch
        {
            304 or 404 or 409 or 412 => ExitCode.Failed,
            408 or 429 or >= 500 => ExitCode.Unavailable,
            _ => ExitCode.Usage,
        };

    /// <summary>What a front end's refusal is here.</summary>
    public static ToolException Refusal(KeyValueReply reply)
    {
        string words = reply.Status switch
        {
            304 => $"the version is still {reply.Version}.",
            404 when reply.Body.Length == 0 => "there is no such key.",
            _ => $"HTTP status {reply.Status}.",
        };
        try
        {
            using var problem = JsonDocument.Parse(reply.Body);
            words = problem.RootElement.GetProperty("detail").GetString() ?? words;
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            // A HEAD has no words, and a line that is too long neither.
        }

        return new ToolException(ExitCodeOf(reply.Status), words);
    }
}
