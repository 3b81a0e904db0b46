using System.Diagnostics;
using System.Globalization;
using CamCube.Faults;
using CamCube.Runtime;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using CamCube.Services.Collectives;
using CamCube.Services.Diagnostics;
using CamCube.Services.Messenger;
using CamCube.Shim.Ethernet;

namespace CamCube.Benchmarks.Streams;

/// <summary>One real server as a process of its own, told by lines on its input what to do: <c>links</c>,
/// <c>count</c>, <c>raw start|stop</c>, <c>stream start|stop</c>, <c>lose PERCENT</c>,
/// <c>ping stream|message|sum COUNT SIZE</c> (median and 99th percentile in microseconds; a sum has 8 bytes),
/// <c>end</c>. The other server is the one across. Each is answered by one line.</summary>
internal sealed class StreamNode : IServerEvents
{
    private static readonly TorusShape Shape = new(2, 1, 1);
    private readonly CableCube _cube;
    private readonly LinkFaultRules _faults = new(Shape, 1);
    private readonly int _rank;

    private StreamNode(int rank, Dictionary<string, string> settings)
    {
        _rank = rank;
        _cube = new CableCube(
            new EthernetProvider(),
            new LinkProviderRequest(Shape.At(rank), Shape, settings)
            {
                Time = TimeProvider.System,
                ClusterId = "benchmark",
            },
            [
                ServiceDefinition.Of(a => new DiagnosticsService(a.Server, new DiagnosticsOptions())),
                ServiceDefinition.Of(a => new StreamTraffic(a.Server)),
                ServiceDefinition.Of(a => new MessengerService(a.Server, new MessengerOptions())),
                ServiceDefinition.Of(a => new MessageTraffic(a.Server, a.Dependency<IMessenger>())),
                ServiceDefinition.Of(a => new CollectivesService(a.Server, new CollectivesOptions())),
                ServiceDefinition.Of(a => new SumTraffic(a.Server, a.Dependency<ICollectives>())),
            ],
            new ServerOptions(),
            this,
            1
        )
        {
            Decorate = (rank, _, links) => _faults.Wrap(rank, links),
        };
    }

    private Link Cable => _rank == 0 ? Link.XPlus : Link.XMinus;

    private Coordinate Other => Shape.At(1 - _rank);

    /// <summary>Arguments: rank, then settings of the shim as name=value.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        var settings = args.Skip(1)
            .Select(a => a.Split('=', 2))
            .ToDictionary(a => a[0], a => a[1], StringComparer.OrdinalIgnoreCase);
        var node = new StreamNode(Number(args[0]), settings);
        await using CableCube cube = node._cube;
        await cube.StartAsync(CancellationToken.None);
        Console.WriteLine("ready");
        while (Console.ReadLine()?.Split(' ') is [var command, ..] line && command != "end")
        {
            Console.WriteLine(await node.AnswerAsync(command, line[1..]));
        }

        return 0;
    }

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Console.Error.WriteLine(exception);

    public void ServiceRestarted(Coordinate server, string service) { }

    public void TopologyChanged(Coordinate server, TopologyChange change) { }

    private async Task<string> AnswerAsync(string command, string[] line)
    {
        switch (command)
        {
            case "links":
                int up = _cube.GetStatus().Servers[0].Links.Count(l => l.IsUp);
                return up.ToString(CultureInfo.InvariantCulture);
            case "reachable":
                return _cube.GetStatus().Servers[0].ReachableServers.ToString(CultureInfo.InvariantCulture);
            case "raw":
                int body =
                    -HeaderLength
                    + await Call<StreamTraffic, int, int>(static (s, _) => ValueTask.FromResult(s.MaxPayload), 0);
                return await DoAsync<DiagnosticsService>(s =>
                {
                    s.StopLoad();
                    s.StartLoad(line[0] == "start" ? Cable : LinkSet.None, body, isVirtual: false);
                });
            case "stream":
                return await DoAsync<StreamTraffic>(line[0] == "start" ? s => s.Start(Other) : s => s.Stop());
            case "lose":
                _faults.Heal();
                _faults.Add(new PacketLoss(Number(line[0]) / 100.0));
                return "ok";
            case "ping":
                (Coordinate, int, int) how = (Other, Number(line[1]), Number(line[2]));
                return Text(
                    line[0] switch
                    {
                        "stream" => await Call<StreamTraffic, (Coordinate To, int Count, int Size), long[]>(
                            static (s, a) => s.PingAsync(a.To, a.Count, a.Size),
                            how
                        ),
                        "message" => await Call<MessageTraffic, (Coordinate To, int Count, int Size), long[]>(
                            static (s, a) => s.PingAsync(a.To, a.Count, a.Size),
                            how
                        ),
                        _ => await Call<SumTraffic, int, long[]>(static (s, count) => s.PingAsync(count), how.Item2),
                    }
                );
            default:
                return await CountAsync();
        }
    }

    // Bytes of bodies only, both of raw frames and of streams.
    private async Task<string> CountAsync()
    {
        long raw = await Call<DiagnosticsService, int, long>(
            static (s, _) =>
                ValueTask.FromResult(
                    s.LoadReceivedBytes - (s.LoadReceivedPackets * (Packet.FrameOverhead + HeaderLength))
                ),
            0
        );
        (long streams, long lost) = await Call<StreamTraffic, int, (long, long)>(
            static (s, _) => ValueTask.FromResult((s.Received, s.Lost)),
            0
        );
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{raw + streams} {lost} {Environment.CpuUsage.TotalTime.TotalSeconds:F4} "
                + $"{Stopwatch.GetTimestamp() / (double)Stopwatch.Frequency:F6} {GC.GetTotalAllocatedBytes()}"
        );
    }

    private static int HeaderLength => System.Runtime.CompilerServices.Unsafe.SizeOf<DiagnosticsHeader>();

    private async Task<string> DoAsync<TService>(Action<TService> what)
        where TService : class
    {
        await Call<TService, Action<TService>, int>(
            static (s, act) =>
            {
                act(s);
                return ValueTask.FromResult(0);
            },
            what
        );
        return "ok";
    }

    private Task<TResult> Call<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class => _cube.GateOf(_rank).CallAsync(call, argument).AsTask();

    private static string Text(long[] times) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{times[times.Length / 2] / 1e3:F2} {times[times.Length * 99 / 100] / 1e3:F2}"
        );

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
