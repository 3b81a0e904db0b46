using System.Net;
using CamCube.Services.Images;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>The image store as the commands ask it: over its HTTP front end (docs/images.md). What goes wrong is a
/// <see cref="ToolException"/>.</summary>
/// <param name="root">Where the front end is.</param>
/// <param name="key">Signs addresses; null: they are not signed.</param>
internal sealed class ImagesClient(Uri root, byte[]? key) : IDisposable
{
    /// <summary>The name of the front end.</summary>
    public const string FrontEnd = "images";

    /// <summary>What is said where nobody has it.</summary>
    public const string HasNone =
        "answers for the image store now; a host has it with --Services:images:Enabled=true --Services:kv:Enabled=true "
        + "--DataFolder=FOLDER.";

    // A picture's worker, and the store behind it.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    // A request is signed for so long.
    private static readonly TimeSpan Signed = TimeSpan.FromMinutes(5);
    private readonly HttpClient _http = new(
        new SocketsHttpHandler { UseProxy = false, ConnectTimeout = TimeSpan.FromSeconds(5) }
    )
    {
        Timeout = Timeout.InfiniteTimeSpan,
    };

    /// <summary>Where the front end is.</summary>
    public Uri Root => root;

    /// <summary>The address of an image, or of all.</summary>
    /// <param name="name">The image; null: all of them.</param>
    /// <param name="part">A variant, or <c>info</c>; null: the original.</param>
    /// <param name="method">What is done with it, if it is signed.</param>
    /// <param name="end">Until when it is good, if it is signed.</param>
    public Uri AddressOf(string? name, string? part, HttpMethod method, DateTimeOffset end)
    {
        string[] segments = [.. new[] { "images", name, part }.OfType<string>()];
        string path = "/" + string.Join('/', segments.Select(Uri.EscapeDataString));
        long seconds = end.ToUnixTimeSeconds();
        return key is null
            ? new Uri(root, path)
            : new Uri(
                root,
                $"{path}?end={seconds}&signature="
                    + ImageSignature.Of(key, method.Method, string.Join('/', segments), seconds)
            );
    }

    /// <summary>Asks.</summary>
    /// <param name="method">GET, PUT, POST or DELETE.</param>
    /// <param name="name">The image; null: all of them.</param>
    /// <param name="part">A variant, or <c>info</c>; null: the original.</param>
    /// <param name="body">The picture, or null.</param>
    /// <param name="condition">A header with a condition, or null.</param>
    /// <param name="cancel">Ctrl+C.</param>
    /// <returns>An answer of 200 and more. Others are thrown with what the front end says.</returns>
    public async Task<KeyValueReply> AskAsync(
        HttpMethod method,
        string? name,
        string? part,
        HttpContent? body,
        (string Name, string Value)? condition,
        CancellationToken cancel
    )
    {
        KeyValueReply reply = await TryAskAsync(method, name, part, body, condition, cancel);
        return reply.Status is >= 200 and < 300 ? reply : throw FrontEndClient.Refusal(reply);
    }

    /// <summary>The same, and answers of all kinds are returned.</summary>
    public async Task<KeyValueReply> TryAskAsync(
        HttpMethod method,
        string? name,
        string? part,
        HttpContent? body,
        (string Name, string Value)? condition,
        CancellationToken cancel
    )
    {
        Uri address = AddressOf(name, part, method, TimeProvider.System.GetUtcNow() + Signed);
        using var request = new HttpRequestMessage(method, address) { Content = body };
        request.Headers.ExpectContinue = body is null ? null : true;
        if (condition is var (header, value))
        {
            request.Headers.TryAddWithoutValidation(header, value);
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(Patience);
        string unknown = method == HttpMethod.Get ? "" : "; whether it was done is not known";
        try
        {
            using HttpResponseMessage answer = await _http.SendAsync(request, limit.Token);
            return new KeyValueReply(
                (int)answer.StatusCode,
                KeyValueReply.Of(answer.Headers, answer.Content.Headers),
                await answer.Content.ReadAsByteArrayAsync(limit.Token),
                0
            );
        }
        catch (HttpRequestException e)
        {
            bool isUnsent = e.HttpRequestError == HttpRequestError.ConnectionError;
            throw new ToolException(
                ExitCode.Unavailable,
                $"{root.Authority} gave no answer ({e.Message}){(isUnsent ? "" : unknown)}."
            );
        }
        catch (HttpIOException e)
        {
            throw new ToolException(ExitCode.Unavailable, $"{root.Authority} broke off in the middle ({e.Message}).");
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            throw new ToolException(ExitCode.Unavailable, $"{root.Authority} gave no answer in time{unknown}.");
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();
}
