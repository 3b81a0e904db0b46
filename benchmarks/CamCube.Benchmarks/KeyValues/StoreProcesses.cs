using System.Net.Sockets;
using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>Three servers of the store, each a process in a network namespace of its own, on cables; removed with this
/// object. Needs root.</summary>
internal sealed class StoreProcesses : IDisposable
{
    public const int Count = 3;
    public const int HttpPort = 8200;
    public const int RedisPort = 6379;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10),
        StartTime = TimeSpan.FromMinutes(1);
    private readonly string _name;

    private StoreProcesses(string name, TorusShape shape, TestbedState state)
    {
        (_name, Shape, State) = (name, shape, state);
        Http = [.. state.Servers.Select(server => NamespaceHttp.Client(server.Namespace, Patience, HttpPort))];
    }

    /// <summary>The cube.</summary>
    public TorusShape Shape { get; }

    /// <summary>The servers.</summary>
    public TestbedState State { get; }

    /// <summary>A client of each.</summary>
    public IReadOnlyList<HttpClient> Http { get; }

    /// <summary>The servers' processes.</summary>
    public IReadOnlyList<int> Processes => [.. State.Servers.Select(static one => one.Process!.Id)];

    /// <summary>Starts them, and waits until they write.</summary>
    /// <param name="round">Tells several of one process apart.</param>
    /// <param name="dataFolder">Where their data is; one that is no full path is in each server's own folder, which is
    /// in memory.</param>
    public static async Task<StoreProcesses> StartAsync(int round, string dataFolder)
    {
        string name = FormattableString.Invariant($"kvp{Environment.ProcessId}-{round}");
        var plan = new TestbedPlan
        {
            Name = name,
            Shape = FormattableString.Invariant($"1x1x{Count}"),
            ParallelCables = true,
            Mtu = 9_000,
            RateBitsPerSecond = 0,
            Shim = "ethernet",
            FixedPlaces = true,
            Detection = "1s",
            Program = HostProgramFile.Find(null),
            Settings =
            [
                "CamCube:Services:kv:Enabled=true",
                "CamCube:FrontEnds:redis:Enabled=true",
                $"CamCube:DataFolder={dataFolder}",
            ],
        };
        try
        {
            var store = new StoreProcesses(
                name,
                plan.Torus(),
                await new TestbedBuilder(plan, _ => { }).BuildAsync(StartTime, default)
            );
            await OwnProcess.UntilAsync("the store", () => store.WriteAsync(0, "ready", default));
            return store;
        }
        catch
        {
            Remove(name);
            throw;
        }
    }

    /// <summary>Writes a key through a server. False: not acknowledged.</summary>
    public async Task<bool> WriteAsync(int server, string key, CancellationToken cancel)
    {
        using HttpResponseMessage answer = await Http[server]
            .PutAsync("/kv/" + key, new ByteArrayContent("value"u8.ToArray()), cancel);
        return answer.IsSuccessStatusCode;
    }

    /// <summary>A socket in a server's namespace.</summary>
    public Socket SocketIn(int server) =>
        NetworkNamespace.Inside(
            State.Servers[server].Namespace,
            static () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        );

    public void Dispose()
    {
        foreach (HttpClient one in Http)
        {
            one.Dispose();
        }

        Remove(_name);
    }

    private static void Remove(string name)
    {
        if (TestbedStore.Read(name) is { } left)
        {
            using TestbedStore store = TestbedStore.Open(name);
            TestbedRemover.Remove(store, left);
        }
    }
}
