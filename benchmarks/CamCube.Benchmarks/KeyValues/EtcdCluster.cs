using System.Globalization;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>Three servers of etcd on loopback with its defaults, asked over its JSON gateway.</summary>
internal sealed class EtcdCluster : IDisposable
{
    public const int Count = 3;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private readonly OwnProcess[] _servers;
    private readonly HttpClient[] _http;

    public EtcdCluster(string folder)
    {
        int[] clients = [.. Enumerable.Range(0, Count).Select(_ => OwnProcess.FreePort())],
            peers = [.. Enumerable.Range(0, Count).Select(_ => OwnProcess.FreePort())];
        string all = string.Join(',', peers.Select((port, i) => $"e{i}=http://127.0.0.1:{port}"));
        _servers =
        [
            .. Enumerable
                .Range(0, Count)
                .Select(i =>
                    OwnProcess.Start(
                        "etcd",
                        "--name",
                        $"e{i}",
                        "--data-dir",
                        Path.Combine(folder, $"etcd-{i}"),
                        "--listen-client-urls",
                        $"http://127.0.0.1:{clients[i]}",
                        "--advertise-client-urls",
                        $"http://127.0.0.1:{clients[i]}",
                        "--listen-peer-urls",
                        $"http://127.0.0.1:{peers[i]}",
                        "--initial-advertise-peer-urls",
                        $"http://127.0.0.1:{peers[i]}",
                        "--initial-cluster",
                        all
                    )
                ),
        ];
        _http =
        [
            .. clients.Select(port => new HttpClient
            {
                BaseAddress = new Uri($"http://127.0.0.1:{port}"),
                Timeout = Patience,
            }),
        ];
    }

    /// <summary>Writes a key through a server. False: not acknowledged.</summary>
    public async Task<bool> PutAsync(int server, string key, CancellationToken cancel)
    {
        var body = new { key = Base64(key), value = Base64("value") };
        using HttpResponseMessage answer = await _http[server].PostAsJsonAsync("/v3/kv/put", body, cancel);
        return answer.IsSuccessStatusCode;
    }

    /// <summary>Which server leads.</summary>
    public async Task<int> LeaderAsync()
    {
        for (int i = 0; i < Count; i++)
        {
            using HttpResponseMessage answer = await _http[i].PostAsJsonAsync("/v3/maintenance/status", new { });
            JsonElement status = await answer.Content.ReadFromJsonAsync<JsonElement>();
            if (
                status.TryGetProperty("leader", out JsonElement leader)
                && leader.GetString() == status.GetProperty("header").GetProperty("member_id").GetString()
            )
            {
                return i;
            }
        }

        throw new IOException(string.Create(CultureInfo.InvariantCulture, $"none of {Count} servers of etcd leads"));
    }

    public void Kill(int server) => _servers[server].Kill();

    public void Dispose()
    {
        foreach (OwnProcess server in _servers)
        {
            server.Dispose();
        }

        foreach (HttpClient http in _http)
        {
            http.Dispose();
        }
    }

    private static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));
}
