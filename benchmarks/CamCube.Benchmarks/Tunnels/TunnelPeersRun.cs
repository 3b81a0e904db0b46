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
                await OneHopPart.RunAsync(words.Rounds);
            }

            if (words.Has("paths"))
            {
                await PathsPart.RunAsync(words.Rounds);
            }

            if (words.Has("all-to-all"))
            {
                await AllToAllPart.RunAsync(words.Rounds);
            }
        }
        catch (TestbedException e)
        {
            Console.Error.WriteLine(e.Message);
            return 1;
        }

        return 0;
    }
}
