using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>The image store beside programs that nobody here wrote: vipsthumbnail, nginx; and beside itself while
/// hostile pictures come.</summary>
internal static class ImagePeersRun
{
    private const int StandardRounds = 3;

    public static async Task<int> RunAsync(string[] args)
    {
        if (RunWords.Read("images-peers", args, StandardRounds, "store", "serve", "hostile") is not { } words)
        {
            return 2;
        }

        LiveCubes.PrintMachine();
        LiveCubes.PrintLoad();
        string folder = Directory.CreateTempSubdirectory("camcube-images-peers-").FullName;
        try
        {
            using ImageHost host = await ImageHost.StartAsync(folder);
            foreach (
                (string name, Func<Task> run) in new (string, Func<Task>)[]
                {
                    ("store", () => StorePart.RunAsync(host, folder, words.Rounds)),
                    ("serve", () => ServePart.RunAsync(host, folder, words.Rounds)),
                    (
                        "hostile",
                        () =>
                            OperatingSystem.IsLinux()
                                ? HostilePart.RunAsync(host, words.Rounds)
                                : throw new TestbedException("hostile needs Linux.")
                    ),
                }
            )
            {
                if (words.Has(name))
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
