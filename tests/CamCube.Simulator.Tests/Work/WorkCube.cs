using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Runtime.Workers;
using CamCube.Simulator.Live;

namespace CamCube.Simulator.Tests.Work;

/// <summary>Servers, two unless said otherwise, in real time whose service does what a test says.</summary>
internal sealed class WorkCube : IServerEvents, IAsyncDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly JumpingClock _clock = new();

    private WorkCube(ServerOptions options, int servers) =>
        Live = new LiveCube(
            new TorusShape(servers, 1, 1),
            [
                new ServiceDefinition
                {
                    Id = new ServiceId(0x0734),
                    Name = "worker",
                    Create = static a => new Worker(a.Server),
                },
            ],
            options,
            this,
            new LiveCubeOptions(),
            1,
            _clock
        );

    public LiveCube Live { get; }

    public List<Exception> Faults { get; } = [];

    /// <summary>The first work that did not end in time.</summary>
    public TaskCompletionSource<(string Service, string Work, int Lost)> Overran { get; } =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The first folder that is somebody else's.</summary>
    public TaskCompletionSource<string> InUse { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public static Task<WorkCube> StartAsync(WorkOptions work, int servers = 2) =>
        StartAsync(new ServerOptions { Work = work }, servers);

    public static async Task<WorkCube> StartAsync(ServerOptions options, int servers = 2)
    {
        var cube = new WorkCube(options, servers);
        await cube.Live.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        return cube;
    }

    /// <summary>Time passes: deadlines are over when a test says so, however slow the machine is.</summary>
    public void Jump() => _clock.Jump();

    public async Task<T> Use<T>(int rank, Func<IServer, ValueTask<T>> use) =>
        await ((ICube)Live)
            .GateOf(rank)
            .CallAsync<Worker, Func<IServer, ValueTask<T>>, T>(static (s, f) => f(s.Server), use)
            .AsTask()
            .WaitAsync(Generous);

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Faults.Add(exception);

    public void ServiceRestarted(Coordinate server, string service) { }

    public void TopologyChanged(Coordinate server, TopologyChange change) { }

    public void WorkOverran(Coordinate server, string service, string work, int lost) =>
        Overran.TrySetResult((service, work, lost));

    public void DataFolderInUse(Coordinate server, string folder) => InUse.TrySetResult(folder);

    public ValueTask DisposeAsync() => Live.DisposeAsync();

    private sealed class JumpingClock : TimeProvider
    {
        private long _ahead;

        public override long GetTimestamp() => base.GetTimestamp() + Volatile.Read(ref _ahead);

        public void Jump() => Interlocked.Add(ref _ahead, TimestampFrequency * 60);
    }

    private sealed class Worker(IServer server) : CamCubeService
    {
        public IServer Server => server;

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;
    }
}
