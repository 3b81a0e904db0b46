using System.Globalization;
using System.Net;
using CamCube.Loads.Resp;
using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>A server that speaks Redis, Redis itself or a host with the store of one server, as a process on loopback;
/// killed with this object.</summary>
internal sealed class RedisServer : IDisposable
{
    private readonly OwnProcess _process;

    private RedisServer(string name, OwnProcess process, int port) => (Name, _process, Port) = (name, process, port);

    /// <summary>What it is.</summary>
    public string Name { get; }

    /// <summary>Its port.</summary>
    public int Port { get; }

    /// <summary>CPU seconds that it has taken.</summary>
    public double CpuSeconds => ProcessorTime.SecondsOf(_process.Id);

    /// <summary>Redis.</summary>
    /// <param name="folder">Where its files are.</param>
    /// <param name="isSynced">Each write is on the disk before it is acknowledged; else there is no disk.</param>
    public static RedisServer StartPeer(string folder, bool isSynced)
    {
        int port = OwnProcess.FreePort();
        string own = Directory.CreateDirectory(Path.Combine(folder, "redis")).FullName;
        return new RedisServer(
            "redis",
            OwnProcess.Start(
                "redis-server",
                "--port",
                Text(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                own,
                "--save",
                "",
                "--appendonly",
                isSynced ? "yes" : "no",
                "--appendfsync",
                "always"
            ),
            port
        );
    }

    /// <summary>The store, one copy, on one server.</summary>
    /// <param name="folder">Where its data is.</param>
    /// <param name="isSynced">It is on the disk; else it is in memory.</param>
    public static RedisServer StartStore(string folder, bool isSynced)
    {
        int port = OwnProcess.FreePort();
        string[] settings =
        [
            "Shape=1x1x1",
            "Services:kv:Enabled=true",
            "Services:kv:Replicas=1",
            .. isSynced ? Array.Empty<string>() : ["Services:kv:Mode=storage=memory"],
            "FrontEnds:redis:Enabled=true",
            $"FrontEnds:redis:Port={Text(port)}",
            $"DataFolder={Path.Combine(folder, "data")}",
            $"FrontEnds:kv-http:Port={Text(OwnProcess.FreePort())}",
            "FrontEnds:memcached:Enabled=false",
            $"Http:Port={Text(OwnProcess.FreePort())}",
        ];
        return new RedisServer(
            "store",
            OwnProcess.Start(
                "dotnet",
                [HostProgramFile.Find(null), .. settings.Select(static one => $"--CamCube:{one}")]
            ),
            port
        );
    }

    /// <summary>Waits until it writes.</summary>
    public Task ReadyAsync() =>
        OwnProcess.UntilAsync(
            $"{Name}: Redis' protocol on port {Port}",
            async () =>
            {
                using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(2));
                using RespClient client = await RespClient.ConnectAsync(
                    new IPEndPoint(IPAddress.Loopback, Port),
                    limit.Token
                );
                return (await client.AskAsync(limit.Token, "SET", "ready", "1")).IsOk;
            }
        );

    public void Dispose() => _process.Dispose();

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
