using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>The key-value store beside programs that nobody here wrote: dd, nginx, etcd, Redis.</summary>
internal static class PeersRun
{
    private const int StandardRounds = 5;

    public static async Task<int> RunAsync(string[] args)
    {
        if (
            RunWords.Read("kv-peers", args, StandardRounds, "transfer", "failover", "redis", "members") is not { } words
        )
        {
            return 2;
        }

        LiveCubes.PrintMachine();
        try
        {
            if (words.Has("transfer"))
            {
                await TransferPart.RunAsync(words.Rounds);
            }

            if (words.Has("failover"))
            {
                TestbedNetwork.CheckMachine();
                await FailoverPart.RunAsync(words.Rounds);
            }

            if (words.Has("redis"))
            {
                await RedisPart.RunAsync(words.Rounds);
            }

            if (words.Has("members"))
            {
                TestbedNetwork.CheckMachine();
                await MembersPart.RunAsync(words.Rounds);
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
