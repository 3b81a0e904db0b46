using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>The key-value store beside programs that nobody here wrote: dd, nginx, etcd.</summary>
internal static class PeersRun
{
    private const int StandardRounds = 5;

    public static async Task<int> RunAsync(string[] args)
    {
        const string Rounds = "rounds=";
        string[] words = [.. args.Where(word => !word.StartsWith(Rounds, StringComparison.Ordinal))];
        string? given = args.FirstOrDefault(word => word.StartsWith(Rounds, StringComparison.Ordinal));
        int rounds = StandardRounds;
        if (
            words.Except(["transfer", "failover"]).Any()
            || (
                given is not null
                && !(
                    int.TryParse(given[Rounds.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out rounds)
                    && rounds is > 0 and <= 1_000
                )
            )
        )
        {
            Console.Error.WriteLine("usage: kv-peers [transfer] [failover] [rounds=1..1000]");
            return 2;
        }

        LiveCubes.PrintMachine();
        try
        {
            if (words.Length == 0 || words.Contains("transfer"))
            {
                await TransferPart.RunAsync(rounds);
            }

            if (words.Length == 0 || words.Contains("failover"))
            {
                TestbedNetwork.CheckMachine();
                await FailoverPart.RunAsync(rounds);
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
