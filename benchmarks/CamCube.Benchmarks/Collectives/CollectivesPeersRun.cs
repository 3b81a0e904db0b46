using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Collectives;

/// <summary>An allreduce of all servers: over the cables of a cube, and beside it by OpenMPI's ring over a switch with
/// a port of one cable's rate for each.</summary>
internal static class CollectivesPeersRun
{
    private const int StandardRounds = 5;
    private const int Mtu = 9_000;

    // As files are measured: six of them at each of 27 servers are what two processors carry.
    private const long LinkBitsPerSecond = 4_000_000;
    private const string Small = "small";
    private static readonly int[] Sizes = [1 << 20, 4 << 20];

    public static async Task<int> RunAsync(string[] args)
    {
        if (RunWords.Read("collectives-peers", args, StandardRounds, Small) is not { } words)
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

            bool isSmall = args.Contains(Small);
            TorusShape shape = isSmall ? new(2, 2, 1) : new(3, 3, 3);
            await MeasureAsync(shape, isSmall ? Sizes[..1] : Sizes, words.Rounds, over.Token);
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
        using var mpi = new MpiGroup(shape.Count, Mtu, LinkBitsPerSecond);
        Rounds seconds = new();
        for (int round = 0; round < rounds; round++)
        {
            foreach (int bytes in sizes)
            {
                cancel.ThrowIfCancellationRequested();
                seconds.Add(NameOf("cube, in a service", bytes), await cube.AllReduceAsync(bytes));
                seconds.Add(NameOf("switch, OpenMPI's ring", bytes), await mpi.AllReduceAsync(bytes));
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
            string cubeName = NameOf("cube, in a service", bytes),
                ring = NameOf("switch, OpenMPI's ring", bytes);
            seconds.Ratio($"OpenMPI / cube, {bytes >> 20} MiB", ring, cubeName, ">= 4.5 in 3x3x3");
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

    private static string NameOf(string who, int bytes) =>
        string.Create(CultureInfo.InvariantCulture, $"{who}, {bytes >> 20} MiB");
}
