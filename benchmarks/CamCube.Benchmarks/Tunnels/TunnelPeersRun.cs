using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>TCP over the tunnel, between programs that nobody here wrote: beside tinc, and beside what links
/// carry.</summary>
internal static class TunnelPeersRun
{
    private const int StandardRounds = 3;

    public static async Task<int> RunAsync(string[] args)
    {
        if (RunWords.Read("tunnel-peers", args, StandardRounds, "one-hop", "paths", "all-to-all") is not { } words)
        {
            return 2;
        }

        using var over = new Interruption();
        LiveCubes.PrintMachine();
        LiveCubes.PrintLoad();
        try
        {
            TestbedNetwork.CheckMachine();
            if (!OwnProcess.IsInstalled("iperf3"))
            {
                throw new TestbedException("this needs iperf3 (tools/install-test-dependencies).");
            }

            if (words.Has("one-hop"))
            {
                await OneHopPart.RunAsync(words.Rounds, over.Token);
            }

            if (words.Has("paths"))
            {
                await PathsPart.RunAsync(words.Rounds, over.Token);
            }

            if (words.Has("all-to-all"))
            {
                await AllToAllPart.RunAsync(words.Rounds, over.Token);
            }
        }
        catch (Exception e) when (e is TestbedException or OperationCanceledException)
        {
            Console.Error.WriteLine(over.Token.IsCancellationRequested ? "cancelled." : e.Message);
            return 1;
        }

        return 0;
    }
}
