using System.Globalization;
using CamCube.Loads.Etcd;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>Three servers of etcd on loopback with its defaults, asked in gRPC.</summary>
internal sealed class EtcdCluster : IDisposable
{
    public const int Count = 3;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private readonly OwnProcess[] _servers;
    private readonly EtcdClient[] _clients;

    public EtcdCluster(string folder)
    {
        Ports = [.. Enumerable.Range(0, Count).Select(_ => OwnProcess.FreePort())];
        int[] peers = [.. Enumerable.Range(0, Count).Select(_ => OwnProcess.FreePort())];
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
                        $"http://127.0.0.1:{Ports[i]}",
                        "--advertise-client-urls",
                        $"http://127.0.0.1:{Ports[i]}",
                        "--listen-peer-urls",
                        $"http://127.0.0.1:{peers[i]}",
                        "--initial-advertise-peer-urls",
                        $"http://127.0.0.1:{peers[i]}",
                        "--initial-cluster",
                        all
                    )
                ),
        ];
        _clients = [.. Ports.Select(port => new EtcdClient(new Uri($"http://127.0.0.1:{port}")))];
    }

    /// <summary>Where clients ask.</summary>
    public IReadOnlyList<int> Ports { get; }

    /// <summary>The servers' processes.</summary>
    public IReadOnlyList<int> Processes => [.. _servers.Select(static one => one.Id)];

    /// <summary>Writes a key through a server. An exception: not acknowledged.</summary>
    public async Task<bool> PutAsync(int server, string key, CancellationToken cancel)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(Patience);
        await _clients[server].PutAsync(System.Text.Encoding.UTF8.GetBytes(key), "value"u8, limit.Token);
        return true;
    }

    /// <summary>Which server leads.</summary>
    public async Task<int> LeaderAsync()
    {
        using var limit = new CancellationTokenSource(Patience);
        for (int i = 0; i < Count; i++)
        {
            if (await _clients[i].LeadsAsync(limit.Token))
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

        foreach (EtcdClient client in _clients)
        {
            client.Dispose();
        }
    }
}
