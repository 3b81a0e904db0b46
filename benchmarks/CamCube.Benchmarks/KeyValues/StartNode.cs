using System.Diagnostics;
using System.Globalization;
using System.Text;
using CamCube.Calls;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Simulator.Live;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>
/// Three servers in this process, each in all 144 groups, as one of a 3x3x3 cube is in so many. The first one gets keys
/// as it would with states that it fetches. Says in a line how long its start took, and ends when it is told so.
/// </summary>
internal static class StartNode
{
    public const int KeyLength = 16;
    private const int Ahead = 4_096;
    private const int MostHintLooks = 600;
    private static readonly TorusShape Shape = new(1, 1, 3);

    public static async Task<int> RunAsync(string[] args)
    {
        int keys = int.Parse(args[1], CultureInfo.InvariantCulture),
            length = int.Parse(args[2], CultureInfo.InvariantCulture);
        var options = new ServerOptions { DataFolder = args[0] };
        options.Memory.ProcessLimit = options.Memory.ServerLimit = options.Memory.ServiceLimit = 8L << 30;
        await using var cube = new LiveCube(
            Shape,
            [ServiceDefinition.Of(a => new KeyValueService(a.Server, new KeyValueOptions()))],
            options,
            new Quiet(),
            new LiveCubeOptions(),
            seed: 1,
            TimeProvider.System
        );
        long before = Stopwatch.GetTimestamp();
        await cube.StartAsync(CancellationToken.None);
        Said said;
        do
        {
            await Task.Delay(1);
            said = await Ask(cube, 0, static (s, _) => Look(s));
        } while (!said.IsOpen);
        string words = $"open after {Stopwatch.GetElapsedTime(before).TotalSeconds:F2} s, {said.Words}";
        if (length > 0)
        {
            while (!(await Ask(cube, 0, static (s, _) => Look(s))).IsLed)
            {
                await Task.Delay(50);
            }

            GC.Collect();
            long empty = Environment.WorkingSet;
            before = Stopwatch.GetTimestamp();
            long longest = 0;
            for (int first = 0; first < keys; first += Ahead)
            {
                (int, int) part = (first, Math.Min(Ahead, keys - first));
                longest = Math.Max(
                    longest,
                    await Ask(cube, (part, length), static (s, a) => Fill(s, a.part, a.length))
                );
                while (await Ask(cube, 0, static (s, _) => s.Host.Behind > Ahead))
                {
                    await Task.Delay(1);
                }
            }

            for (int i = 0; i < MostHintLooks && !await Ask(cube, 0, static (s, _) => IsDone(s.Host)); i++)
            {
                await Task.Delay(100);
            }

            words = $"{Stopwatch.GetElapsedTime(before).TotalSeconds:F1} s, longest step {longest / 1e6:F2} ms";
            GC.Collect();
            words += $", {(Environment.WorkingSet - empty) / (double)keys:F1} B of memory per key";
        }

        words +=
            $", {Environment.CpuUsage.TotalTime.TotalSeconds:F2} s of CPU, {Environment.WorkingSet >> 20} MiB, "
            + $"heap {GC.GetTotalMemory(false) >> 20} MiB";
        Console.WriteLine(words);
        Console.ReadLine();
        before = Stopwatch.GetTimestamp();
        await cube.StopAsync(CancellationToken.None);
        Console.WriteLine($"stopped in {Stopwatch.GetElapsedTime(before).TotalSeconds:F2} s");
        return 0;
    }

    private static Said Look(KeyValueService service)
    {
        int hints = service.Host.Log?.Segments.All.Count(static s => s.HasHint) ?? 0;
        MemberHost host = service.Host;
        return host.Failure.Length > 0
            ? throw new InvalidOperationException(host.Failure)
            : new Said(
                host.IsOpen,
                host.IsOpen && host.Members.All(static m => m.Leader is not null),
                $"{host.Index.Count} keys, {host.Index.Bytes / (double)Math.Max(1, host.Index.Count):F1} B each, "
                    + $"{hints} hints, {(host.HasSnapshot ? "from a snapshot" : "without a snapshot")}"
            );
    }

    // The longest of its steps, in nanoseconds.
    private static long Fill(KeyValueService service, (int First, int Count) part, int length)
    {
        MemberHost host = service.Host;
        byte[] value = new byte[length];
        double longest = 0;
        for (int i = part.First; i < part.First + part.Count; i++)
        {
            long before = Stopwatch.GetTimestamp();
            byte[] key = Encoding.ASCII.GetBytes($"key-{i:D12}");
            GroupId id = GroupId.Of(0, key, Shape);
            var request = new RequestId(new Coordinate(0, 0, 1), 1, (ulong)i + 1);
            var operation = new Operation(OperationKind.Put, request, (ulong)i, key, default, value);
            var ballot = new Ballot(1, 1, 1);
            var head = new LogRecord
            {
                Kind = (byte)RecordKind.Operation,
                Flags = (byte)OperationKind.Put,
                Group = id.Number,
                Index = (ulong)i + 2,
                Generation = ballot.Generation,
                Epoch = ballot.Epoch,
                Term = ballot.Term,
                Version = TailEntry.VersionOf(ballot, (ulong)i + 2),
            };
            host.Settle(host.Find(id)!, head, operation);
            longest = Math.Max(longest, Stopwatch.GetElapsedTime(before).TotalNanoseconds);
        }

        return (long)longest;
    }

    private static async Task<T> Ask<TArgument, T>(
        LiveCube cube,
        TArgument argument,
        Func<KeyValueService, TArgument, T> what
    ) =>
        await cube.GateOf(0)
            .CallAsync<KeyValueService, (TArgument, Func<KeyValueService, TArgument, T>), T>(
                static (s, a) => new(a.Item2(s, a.Item1)),
                (argument, what)
            );

    private static bool IsDone(MemberHost host) => host.Behind == 0 && HasHints(host.Log!);

    private static bool HasHints(StoreLog log) =>
        !log.Segments.All.Any(s => s is { HasHint: false, First: > 0 } && s != log.Segments.Head);

    private sealed record Said(bool IsOpen, bool IsLed, string Words);

    private sealed class Quiet : IServerEvents
    {
        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
            Console.Error.WriteLine($"{server} {service}: {exception}");

        public void ServiceRestarted(Coordinate server, string service) { }

        public void TopologyChanged(Coordinate server, TopologyChange change) { }
    }
}
