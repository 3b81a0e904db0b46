using System.Net;
using System.Net.Sockets;
using CamCube.Loads.Choosing;
using CamCube.Loads.Operations;

namespace CamCube.Loads.Targets;

/// <summary>A front end of the store over HTTP.</summary>
/// <param name="root">Where it is.</param>
/// <param name="names">Keys and values.</param>
/// <param name="table">The table.</param>
/// <param name="connections">To it, at most.</param>
/// <param name="socket">Makes a socket; null: an ordinary one.</param>
internal sealed class HttpSession(Uri root, RecordNames names, int table, int connections, Func<Socket>? socket)
    : ILoadSession
{
    private static readonly byte[] One = "1"u8.ToArray();
    private readonly HttpClient _http = new(
        new SocketsHttpHandler
        {
            UseProxy = false,
            AllowAutoRedirect = false,
            ConnectTimeout = TimeSpan.FromSeconds(5),
            MaxConnectionsPerServer = connections,
            ConnectCallback = socket is null ? null : (context, cancel) => ConnectAsync(socket(), context, cancel),
        }
    )
    {
        BaseAddress = root,
        Timeout = Timeout.InfiniteTimeSpan,
    };

    /// <inheritdoc/>
    public async Task<string?> AskAsync(LoadOperation operation, CancellationToken cancel)
    {
        string path =
            "/kv/"
            + Uri.EscapeDataString(
                System.Text.Encoding.UTF8.GetString(names.KeyOf(operation.Number, operation.IsCounter))
            )
            + $"?table={table}";
        string? error = null;
        if (operation.Kind is OperationKind.Get or OperationKind.ReadModifyWrite)
        {
            using HttpResponseMessage answer = await _http.GetAsync(path, cancel).ConfigureAwait(false);
            byte[] value = await answer.Content.ReadAsByteArrayAsync(cancel).ConfigureAwait(false);
            error =
                answer.StatusCode == HttpStatusCode.NotFound ? "notFound"
                : !answer.IsSuccessStatusCode ? NameOf(answer)
                : !names.IsValueOf(operation.Number, value) ? "wrong"
                : null;
        }

        return error is not null || operation.Kind == OperationKind.Get
            ? error
            : await ChangeAsync(operation, path, cancel).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private static async ValueTask<Stream> ConnectAsync(
        Socket socket,
        SocketsHttpConnectionContext context,
        CancellationToken cancel
    )
    {
        try
        {
            socket.NoDelay = true;
            await socket.ConnectAsync(context.DnsEndPoint, cancel).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static string NameOf(HttpResponseMessage answer) => $"http{(int)answer.StatusCode}";

    private async Task<string?> ChangeAsync(LoadOperation operation, string path, CancellationToken cancel)
    {
        // Also a delete has a body, of no bytes: without one it might be sent twice (see the clients of kv record).
        byte[] body = [];
        HttpMethod method = operation.Kind switch
        {
            OperationKind.Increment => HttpMethod.Post,
            OperationKind.Delete => HttpMethod.Delete,
            _ => HttpMethod.Put,
        };
        if (method == HttpMethod.Post)
        {
            (body, path) = (One, path + "&op=add");
        }
        else if (method == HttpMethod.Put)
        {
            body = new byte[names.ValueLength];
            names.WriteValue(operation.Number, operation.Turn, body);
        }

        using var request = new HttpRequestMessage(method, path) { Content = new ByteArrayContent(body) };
        using HttpResponseMessage answer = await _http.SendAsync(request, cancel).ConfigureAwait(false);
        bool isDone =
            answer.IsSuccessStatusCode
            || (operation.Kind == OperationKind.Delete && answer.StatusCode == HttpStatusCode.NotFound);
        return isDone ? null : NameOf(answer);
    }
}
