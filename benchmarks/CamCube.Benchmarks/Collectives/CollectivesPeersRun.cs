using System.Globalization;
using CamCube.Benchmarks.Cables;
using CamCube.Benchmarks.Streams;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Collectives;

/// <summary>
/// An allreduce of all servers over the cables of a cube, from a service and from programs in Python; and beside it by
/// OpenMPI's ring, over a switch with a port of one cable's rate for each, and over a ring of such cables. What it
/// costs two servers on one cable. What becomes of it when a program dies.
/// </summary>
internal static class CollectivesPeersRun
{
    private const int StandardRounds = 5;
    private const int Mtu = 9_000;

    // As files are measured: six of them at each of 27 servers are what two processors carry.
    private const long LinkBitsPerSecond = 4_000_000;
    private const string Small = "small",
        Times = "times",
        Cpu = "cpu",
        Short = "short",
        Kills = "kills";
    private const string Service = "cube, in a service",
        Python = "cube, from Python",
        Bridge = "switch, OpenMPI's ring",
        Ring = "ring of cables, OpenMPI's ring";
    private const int CpuBytes = 64 << 20;
    private const int CpuRounds = 4;
    private const int ShortBytes = 8;
    private const int ShortRounds = 2_000;
    private const int KilledBytes = 64 << 10;
    private const int StandardKills = 100;
    private const int SmallKills = 3;
    private static readonly int[] Sizes = [1 << 20, 4 << 20];

    public static async Task<int> RunAsync(string[] args)
    {
        if (RunWords.Read("collectives-peers", args, StandardRounds, Small, Times, Cpu, Short, Kills) is not { } words)
        {
            return 2;
        }

        using var over = new Interruption();
        LiveCubes.PrintMachine();
        LiveCubes.PrintLoad();
        try
        {
            TestbedNetwork.CheckMachine();
            if (!MpiGroup.IsInstalled)
            {
                throw new TestbedException("this needs OpenMPI and mpi4py (tools/install-test-dependencies peers).");
            }

            bool isSmall = args.Contains(Small),
                isAll = !args.Intersect([Times, Cpu, Short, Kills]).Any();
            TorusShape shape = isSmall ? new(2, 2, 1) : new(3, 3, 3);
            if (isAll || args.Contains(Times))
            {
                await MeasureAsync(shape, isSmall ? Sizes[..1] : Sizes, words.Rounds, over.Token);
            }

            if (isAll || args.Contains(Cpu))
            {
                await MeasureCpuAsync(words.Rounds, over.Token);
            }

            if (isAll || args.Contains(Short))
            {
                await MeasureShortAsync(words.Rounds, over.Token);
            }

            if (isAll || args.Contains(Kills))
            {
                await KillAsync(shape, isSmall ? SmallKills : StandardKills, over.Token);
            }
        }
        catch (Exception e) when (e is TestbedException or OperationCanceledException)
        {
            Console.Error.WriteLine(over.Token.IsCancellationRequested ? "cancelled." : e.Message);
            return 1;
        }

        return 0;
    }

    private static async Task MeasureAsync(TorusShape shape, int[] sizes, int rounds, CancellationToken cancel)
    {
        using CollectivesOnCables cube = await CollectivesOnCables.StartAsync(shape, Mtu, LinkBitsPerSecond, cancel);
        using var bridge = new MpiGroup(shape.Count, Mtu, LinkBitsPerSecond);
        using var ring = new MpiGroup(shape.Count, Mtu, LinkBitsPerSecond, isRing: true);
        Rounds seconds = new();
        for (int round = 0; round < rounds; round++)
        {
            foreach (int bytes in sizes)
            {
                cancel.ThrowIfCancellationRequested();
                seconds.Add(NameOf(Service, bytes), await cube.AllReduceAsync(bytes));
                seconds.Add(NameOf(Python, bytes), (await PythonMembers.AllReduceAsync(cube, bytes, 1))[0]);
                seconds.Add(NameOf(Bridge, bytes), await bridge.AllReduceAsync(bytes));
                seconds.Add(NameOf(Ring, bytes), await ring.AllReduceAsync(bytes));
            }
        }

        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"allreduce of {shape.Count} servers, float32, links and ports of {LinkBitsPerSecond / 1e6:0} Mbit/s, "
                    + $"frames of {Mtu + 14:N0} bytes"
            )
        );
        seconds.Print("s");
        foreach (int bytes in sizes)
        {
            foreach (string peer in (string[])[Bridge, Ring])
            {
                seconds.Ratio(
                    $"{peer} / {Python}, {bytes >> 20} MiB",
                    NameOf(peer, bytes),
                    NameOf(Python, bytes),
                    ">= 4.5 in 3x3x3"
                );
            }

            double port = bytes * 8.0 / LinkBitsPerSecond,
                of = 2.0 * (shape.Count - 1) / shape.Count * port;
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"closed forms, {bytes >> 20} MiB: a ring over one port {of:0.00} s; any algorithm on all links of "
                        + $"a server {of / shape.CabledLinks(shape.At(0)).Count:0.00} s"
                )
            );
        }
    }

    // Two servers, a cable that nothing slows down: what is counted is processors.
    private static async Task MeasureCpuAsync(int rounds, CancellationToken cancel)
    {
        const string Cube = "cube, in a service",
            Mpi = "OpenMPI over TCP, no offloads";
        using CollectivesOnCables cube = await CollectivesOnCables.StartAsync(new(2, 1, 1, false), Mtu, 0, cancel);
        using var mpi = new MpiGroup(2, Mtu, 0, isRing: true);
        Rounds cpu = new();

        // First it is compiled.
        await cube.AllReduceAsync(CpuBytes, CpuRounds);
        for (int round = 0; round < rounds; round++)
        {
            cancel.ThrowIfCancellationRequested();

            // Vectors are made, and looked at, once whatever the rounds: the difference is without.
            double before = cube.CpuSeconds;
            await cube.AllReduceAsync(CpuBytes);
            double once = cube.CpuSeconds;
            await cube.AllReduceAsync(CpuBytes, 1 + CpuRounds);
            cpu.Add(Cube, (cube.CpuSeconds - once - (once - before)) / CpuRounds);
            cpu.Add(Mpi, (await mpi.MeasureAsync(CpuBytes, CpuRounds)).Cpu);
        }

        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"allreduce of 64 MiB, float32, two servers on one cable, frames of {Mtu + 14:N0} bytes"
            )
        );
        cpu.Print("CPU seconds of both");
        cpu.Ratio("cube / OpenMPI, CPU", Cube, Mpi, "<= 1.5");
    }

    // Two servers on a processor each. A sum of two is a packet there and one back, as a message with its answer is.
    private static async Task MeasureShortAsync(int rounds, CancellationToken cancel)
    {
        const string Message = "cube, a short message and its answer",
            Sum = "cube, an allreduce in a service",
            Mpi = "OpenMPI over TCP, from Python";
        using var spaces = Namespaces.Row(Mtu);
        var bench = new StreamsBench(spaces);
        using var mpi = new MpiGroup(2, Mtu, 0, isRing: true);
        Rounds micros = new();
        for (int round = 0; round < rounds; round++)
        {
            cancel.ThrowIfCancellationRequested();
            micros.Add(Message, bench.CubePing("message", ShortBytes).Value);
            micros.Add(Sum, bench.CubePing("sum", ShortBytes).Value);
            micros.Add(Mpi, (await mpi.MeasureAsync(ShortBytes, ShortRounds)).Seconds * 1e6);
        }

        Console.WriteLine("allreduce of 8 bytes, two servers on one cable");
        micros.Print("us");
        micros.Ratio("allreduce / message", Sum, Message, "<= 1.3");
    }

    private static async Task KillAsync(TorusShape shape, int times, CancellationToken cancel)
    {
        using CollectivesOnCables cube = await CollectivesOnCables.StartAsync(shape, Mtu, LinkBitsPerSecond, cancel);
        (int wentOn, double worst) = await PythonMembers.SurviveAsync(cube, KilledBytes, times);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"kill -9 of one of {shape.Count} programs in its allreduces: all others were told who it was and "
                    + $"went on without it in {wentOn} of {times} (asked all); at most {worst:0.0} s until they had "
                    + $"done three more"
            )
        );
        using var mpi = new MpiGroup(shape.Count, Mtu, LinkBitsPerSecond);
        int code = await mpi.EndOfKilledAsync(KilledBytes);
        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"OpenMPI, the same: mpirun ends all, with exit code {code}")
        );
    }

    private static string NameOf(string who, int bytes) =>
        string.Create(CultureInfo.InvariantCulture, $"{who}, {bytes >> 20} MiB");
}
