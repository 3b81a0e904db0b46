using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>The image store beside programs that nobody here wrote: vipsthumbnail, nginx; and beside itself while
/// hostile pictures come.</summary>
internal static class ImagePeersRun
{
    private const int StandardRounds = 3;

    public static async Task<int> RunAsync(string[] args)
    {
        const string Rounds = "rounds=";
        string[] words = [.. args.Where(word => !word.StartsWith(Rounds, StringComparison.Ordinal))];
        string? given = args.FirstOrDefault(word => word.StartsWith(Rounds, StringComparison.Ordinal));
        int rounds = StandardRounds;
        if (
            words.Except(["store", "serve", "hostile"]).Any()
            || (
                given is not null
                && !(
                    int.TryParse(given[Rounds.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out rounds)
                    && rounds is > 0 and <= 1_000
                )
            )
        )
        {
            Console.Error.WriteLine("usage: images-peers [store] [serve] [hostile] [rounds=1..1000]");
            return 2;
        }

        LiveCubes.PrintMachine();
        Console.WriteLine($"load: {(await File.ReadAllTextAsync("/proc/loadavg")).Trim()}");
        string folder = Directory.CreateTempSubdirectory("camcube-images-peers-").FullName;
        try
        {
            using ImageHost host = await ImageHost.StartAsync(folder);
            foreach (
                (string name, Func<Task> run) in new (string, Func<Task>)[]
                {
                    ("store", () => StorePart.RunAsync(host, folder, rounds)),
                    ("serve", () => ServePart.RunAsync(host, folder, rounds)),
                    ("hostile", () => HostilePart.RunAsync(host, rounds)),
                }
            )
            {
                if (words.Length == 0 || words.Contains(name))
                {
                    await run();
                }
            }
        }
        catch (TestbedException e)
        {
            Console.Error.WriteLine(e.Message);
            return 1;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        return 0;
    }
}
