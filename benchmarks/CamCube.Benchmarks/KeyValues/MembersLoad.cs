using CamCube.Loads.Operations;
using CamCube.Loads.Runs;
using CamCube.Loads.Settings;
using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>A load on three servers of the store, or of etcd, and what it costs them.</summary>
/// <param name="store">The store.</param>
/// <param name="speaksRedis">It is asked in Redis' protocol; else over HTTP.</param>
/// <param name="etcd">etcd; null: it is not there.</param>
internal sealed class MembersLoad(StoreProcesses store, bool speaksRedis, EtcdCluster? etcd)
{
    public const string Store = "store";
    public const string Peer = "etcd";

    /// <summary>Who is there.</summary>
    public IReadOnlyList<string> Names => etcd is null ? [Store] : [Store, Peer];

    /// <summary>Runs a phase.</summary>
    /// <returns>What came of it, and microseconds of CPU of all servers together for each operation.</returns>
    public async Task<(LoadPhaseResult Result, double CpuMicros)> RunAsync(
        string who,
        LoadOptions options,
        LoadPhase phase
    )
    {
        bool isStore = who == Store;
        IReadOnlyList<int> processes = isStore ? store.Processes : etcd!.Processes;
        LoadTarget target =
            !isStore ? LoadTarget.Etcd
            : speaksRedis ? LoadTarget.Redis
            : LoadTarget.Http;
        IEnumerable<int> ports = isStore
            ? Enumerable.Repeat(speaksRedis ? StoreProcesses.RedisPort : StoreProcesses.HttpPort, StoreProcesses.Count)
            : etcd!.Ports;
        using LoadRun run = await LoadRun.BeginAsync(
            options,
            target,
            [.. ports.Select(static port => new LoadEndpoint("127.0.0.1", port))],
            default,
            isStore ? store.SocketIn : null
        );
        double before = processes.Sum(ProcessorTime.SecondsOf);
        LoadPhaseResult result = await run.RunAsync(phase, static _ => { }, default);
        double cpu = processes.Sum(ProcessorTime.SecondsOf) - before;
        if (result.Tally.Done == 0 || result.Tally.Failed > 0)
        {
            string errors = string.Join(
                ", ",
                result.Rows.SelectMany(static row => row.Errors).Select(static one => $"{one.Value} {one.Key}")
            );
            throw new TestbedException($"{who}: {result.Tally.Done} operations were done, and {errors} were not.");
        }

        return (result, cpu * 1e6 / result.Tally.Done);
    }
}
