using System.Buffers.Binary;
using System.Net;
using System.Net.Http.Headers;

namespace CamCube.Loads.Etcd;

/// <summary>A server of etcd, asked in gRPC over HTTP/2 as its own clients do: its gateway for JSON would cost the
/// server as much again. Any thread.</summary>
public sealed class EtcdClient : IDisposable
{
    private static readonly MediaTypeHeaderValue Grpc = new("application/grpc");
    private readonly HttpClient _http;

    /// <summary>A server, over one connection.</summary>
    /// <param name="root">As http://127.0.0.1:2379.</param>
    public EtcdClient(Uri root) =>
        _http = new HttpClient(new SocketsHttpHandler { UseProxy = false, ConnectTimeout = TimeSpan.FromSeconds(5) })
        {
            BaseAddress = root,
            Timeout = Timeout.InfiniteTimeSpan,
            DefaultRequestVersion = HttpVersion.Version20,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };

    /// <summary>Writes a key.</summary>
    /// <exception cref="IOException">It was refused (<see cref="EtcdException"/>), or nobody knows.</exception>
    /// <exception cref="HttpRequestException">There was no answer.</exception>
    public Task PutAsync(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, CancellationToken cancel) =>
        AskAsync("/etcdserverpb.KV/Put", new ProtoWriter().Add(1, key).Add(2, value).ToFrame(), cancel);

    /// <summary>Deletes a key, if it is there.</summary>
    public Task DeleteAsync(ReadOnlySpan<byte> key, CancellationToken cancel) =>
        AskAsync("/etcdserverpb.KV/DeleteRange", new ProtoWriter().Add(1, key).ToFrame(), cancel);

    /// <summary>Reads a key, linearizable as etcd does it if nothing else is asked. Null: it is not there.</summary>
    public async Task<byte[]?> GetAsync(byte[] key, CancellationToken cancel)
    {
        byte[] answer = await AskAsync("/etcdserverpb.KV/Range", new ProtoWriter().Add(1, key).ToFrame(), cancel)
            .ConfigureAwait(false);
        return ValueIn(answer);
    }

    /// <summary>Whether the server leads.</summary>
    public async Task<bool> LeadsAsync(CancellationToken cancel)
    {
        byte[] answer = await AskAsync("/etcdserverpb.Maintenance/Status", new ProtoWriter().ToFrame(), cancel)
            .ConfigureAwait(false);
        return Leads(answer);
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    // StatusResponse: 1 header (2 member_id), 4 leader.
    private static bool Leads(ReadOnlySpan<byte> message)
    {
        (ulong own, ulong leader) = (0, 0);
        var fields = new ProtoReader(message);
        while (fields.Next())
        {
            leader = fields.Field == 4 ? fields.Number : leader;
            if (fields.Field == 1)
            {
                var header = new ProtoReader(fields.Bytes);
                while (header.Next())
                {
                    own = header.Field == 2 ? header.Number : own;
                }
            }
        }

        return leader != 0 && leader == own;
    }

    // RangeResponse: 2 key-value, of which 5 is the value; one of no bytes is not written.
    private static byte[]? ValueIn(ReadOnlySpan<byte> message)
    {
        var fields = new ProtoReader(message);
        while (fields.Next())
        {
            if (fields.Field != 2)
            {
                continue;
            }

            byte[] value = [];
            var one = new ProtoReader(fields.Bytes);
            while (one.Next())
            {
                value = one.Field == 5 ? one.Bytes.ToArray() : value;
            }

            return value;
        }

        return null;
    }

    private async Task<byte[]> AskAsync(string method, byte[] frame, CancellationToken cancel)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, method)
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent(frame) { Headers = { ContentType = Grpc } },
        };
        request.Headers.TE.Add(new TransferCodingWithQualityHeaderValue("trailers"));
        using HttpResponseMessage answer = await _http.SendAsync(request, cancel).ConfigureAwait(false);
        byte[] body = await answer.Content.ReadAsByteArrayAsync(cancel).ConfigureAwait(false);
        string? status = Find(answer, "grpc-status");
        if (answer.StatusCode != HttpStatusCode.OK || status is null)
        {
            throw new IOException($"{_http.BaseAddress} does not speak gRPC: HTTP status {(int)answer.StatusCode}.");
        }

        if (status != "0")
        {
            throw new EtcdException(status, Find(answer, "grpc-message") ?? "no reason was given.");
        }

        return
            body.Length >= 5 && body[0] == 0 && BinaryPrimitives.ReadUInt32BigEndian(body.AsSpan(1)) == body.Length - 5
            ? body[5..]
            : throw new IOException("the answer is no message of gRPC.");
    }

    // Of a refusal it is among the headers, as there is nothing else.
    private static string? Find(HttpResponseMessage answer, string name) =>
        answer.TrailingHeaders.TryGetValues(name, out IEnumerable<string>? values)
        || answer.Headers.TryGetValues(name, out values)
            ? values.First()
            : null;
}
