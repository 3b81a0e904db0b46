using System.Diagnostics;
using System.Globalization;
using CamCube.Runtime;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using CamCube.Shim.Ethernet;

namespace CamCube.Benchmarks.Cables;

/// <summary>One real server as a process of its own, told by lines on its input what to do: <c>start RANK LINK</c>,
/// <c>stop</c>, <c>count</c>, <c>links</c>, <c>reachable</c>, <c>ping RANK,... COUNT BODY</c> (ranks in turn; median
/// and 99th percentile of each), <c>end</c>. Each is answered by one line.</summary>
internal sealed class CableNode : IServerEvents
{
    /// <summary>Arguments: rank, shape, then settings of the shim as name=value; <c>Detection</c> is liveness' in
    /// seconds.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        int rank = int.Parse(args[0], CultureInfo.InvariantCulture);
        if (TorusShape.TryParse(args[1], out TorusShape shape) is { } fault)
        {
            Console.Error.WriteLine(fault);
            return 2;
        }

        var settings = args.Skip(2)
            .Select(a => a.Split('=', 2))
            .ToDictionary(a => a[0], a => a[1], StringComparer.OrdinalIgnoreCase);
        ServerOptions options = new();
        if (settings.Remove("Detection", out string? seconds))
        {
            options.Liveness.DetectionTime = TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture));
        }

        await using CableCube cube = new(
            new EthernetProvider(),
            new LinkProviderRequest(shape.At(rank), shape, settings)
            {
                Time = TimeProvider.System,
                ClusterId = "benchmark",
            },
            [ServiceDefinition.Of(a => new CableTraffic(a.Server))],
            options,
            new CableNode(),
            1
        );
        await cube.StartAsync(CancellationToken.None);
        Console.WriteLine("ready");
        while (Console.ReadLine()?.Split(' ') is [var command, ..] line && command != "end")
        {
            Console.WriteLine(await AnswerAsync(cube, rank, shape, command, line));
        }

        return 0;
    }

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Console.Error.WriteLine(exception);

    public void ServiceRestarted(Coordinate server, string service) { }

    public void TopologyChanged(Coordinate server, TopologyChange change) { }

    private static async Task<string> AnswerAsync(
        CableCube cube,
        int rank,
        TorusShape shape,
        string command,
        string[] line
    )
    {
        Calls calls = new(cube, rank);
        switch (command)
        {
            case "start":
                Links.TryParse(line[2], out Link link);
                await calls.Call(
                    static (s, a) =>
                    {
                        s.Start(a.To, a.Link);
                        return ValueTask.FromResult(0);
                    },
                    (To: shape.At(Number(line[1])), Link: link)
                );
                return "ok";
            case "stop":
                await calls.Call(
                    static (s, _) =>
                    {
                        s.Stop();
                        return ValueTask.FromResult(0);
                    },
                    0
                );
                return "ok";
            case "links":
                int up = cube.GetStatus().Servers[0].Links.Count(l => l.IsUp);
                return up.ToString(CultureInfo.InvariantCulture);
            case "reachable":
                return cube.GetStatus().Servers[0].ReachableServers.ToString(CultureInfo.InvariantCulture);
            case "ping":
                Coordinate[] to = [.. line[1].Split(',').Select(other => shape.At(Number(other)))];
                long[][] all = await calls.Call(
                    static (s, a) => s.PingAsync(a.To, a.Count, a.Body),
                    (To: to, Count: Number(line[2]), Body: Number(line[3]))
                );
                return string.Join(
                    ' ',
                    all.Select(times =>
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"{times[times.Length / 2] / 1e3:F2} {times[times.Length * 99 / 100] / 1e3:F2}"
                        )
                    )
                );
            default:
                (long received, long forwarded) = await calls.Call(
                    static (s, _) => ValueTask.FromResult((s.Received, s.Forwarded)),
                    0
                );
                return string.Create(
                    CultureInfo.InvariantCulture,
                    $"{received} {forwarded} {Environment.CpuUsage.TotalTime.TotalSeconds:F4} "
                        + $"{Stopwatch.GetTimestamp() / (double)Stopwatch.Frequency:F6} {GC.GetTotalAllocatedBytes()}"
                );
        }
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private readonly struct Calls(CableCube cube, int rank)
    {
        public Task<TResult> Call<TArgument, TResult>(
            LoopCall<CableTraffic, TArgument, TResult> call,
            TArgument argument
        ) => cube.GateOf(rank).CallAsync(call, argument).AsTask();
    }
}
