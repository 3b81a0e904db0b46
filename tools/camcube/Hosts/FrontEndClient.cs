using System.Diagnostics;
using System.Net;
using System.Text.Json;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>A front end over HTTP as commands ask it, with values of any length. What goes wrong is a
/// <see cref="ToolException"/>.</summary>
/// <param name="root">Where it is.</param>
internal sealed class FrontEndClient(Uri root) : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private readonly HttpClient _http = new(
        new SocketsHttpHandler { UseProxy = false, ConnectTimeout = TimeSpan.FromSeconds(5) }
    )
    {
        Timeout = Timeout.InfiniteTimeSpan,
    };

    /// <summary>Asks, with a value of any length; while bytes of it move nothing times out.</summary>
    /// <param name="method">GET, HEAD, PUT, DELETE or POST.</param>
    /// <param name="target">Path and query, as the front end reads them.</param>
    /// <param name="body">The value, or null.</param>
    /// <param name="condition">A header with a condition, or null.</param>
    /// <param name="work">Time that the store may take for the work itself.</param>
    /// <param name="moving">Whom <paramref name="body"/> tells how far it is, or who brings the answer; or
    /// null.</param>
    /// <param name="into">Where the value of an answer of 200 goes, told its headers; null: into the reply.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task<KeyValueReply> AskAsync(
        HttpMethod method,
        string target,
        HttpContent? body,
        (string Name, string Value)? condition,
        TimeSpan work,
        MovingBytes? moving,
        Func<KeyValueReply, Stream>? into,
        CancellationToken cancel
    )
    {
        using var request = new HttpRequestMessage(method, TargetOf(target)) { Content = body };
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
            throw new ToolException(ExitCode.Unavailable, $"{root.Authority} gave no answer ({e.Message}){end}.");
        }
        catch (HttpIOException e)
        {
            throw new ToolException(ExitCode.Unavailable, $"{root.Authority} broke off in the middle ({e.Message}).");
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            throw new ToolException(
                ExitCode.Unavailable,
                $"{root.Authority} gave no answer in time{(isChange ? "; whether it was done is not known" : "")}."
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

    // As it is: what is escaped stays so.
    private Uri TargetOf(string target) =>
        new(
            $"{root.GetLeftPart(UriPartial.Authority)}{target}",
            new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }
        );
}
