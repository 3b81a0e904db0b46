using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>CPU time of each of 27 servers on cables while pictures are stored and thumbnails looked up (HPDC §5.3),
/// and of the same at a switch.</summary>
internal static class ImageCpuRun
{
    private const int StandardRounds = 1;
    private static readonly TimeSpan Storing = TimeSpan.FromSeconds(20),
        LookingUp = TimeSpan.FromSeconds(10),
        Settling = TimeSpan.FromSeconds(4);
    private static readonly int[] Clients = [15, 60, 150];
    private static readonly TorusShape Shape = new(3, 3, 3);

    public static async Task<int> RunAsync(string[] args)
    {
        if (RunWords.Read("images-cpu", args, StandardRounds, "cables", "switch") is not { } words)
        {
            return 2;
        }

        using var over = new Interruption();
        LiveCubes.PrintMachine();
        LiveCubes.PrintLoad();
        string folder = Directory.CreateTempSubdirectory("camcube-images-cpu-").FullName;
        try
        {
            TestbedNetwork.CheckMachine();
            if (words.Has("cables"))
            {
                using ImageServers servers = await ImageServers.OnCablesAsync(Shape, over.Token);
                await MeasureAsync($"{Shape.Count} servers on cables", servers, words.Rounds, over.Token);
            }

            if (words.Has("switch"))
            {
                using ImageServers servers = await ImageServers.AtSwitchAsync(Shape, folder, over.Token);
                await MeasureAsync($"{Shape.Count} servers at a switch", servers, words.Rounds, over.Token);
            }
        }
        catch (Exception e) when (e is TestbedException or OperationCanceledException)
        {
            Console.Error.WriteLine(over.Token.IsCancellationRequested ? "cancelled." : e.Message);
            return 1;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        return 0;
    }

    private static async Task MeasureAsync(string what, ImageServers servers, int rounds, CancellationToken cancel)
    {
        var clients = new PictureClients(servers.Http);
        await clients.FillAsync(cancel);
        await Task.Delay(Settling, cancel);
        CpuWindow.PrintHeader(what);
        for (int round = 0; round < rounds; round++)
        {
            (await CpuWindow.OfAsync(servers.Processes, () => clients.Done, LookingUp, cancel)).Print("none", 0);
            await RiseAsync("look up", clients.LookUpAsync, LookingUp);
            await RiseAsync("store", clients.StoreAsync, Storing);
        }

        async Task RiseAsync(string load, Func<int, CancellationToken, Task> run, TimeSpan time)
        {
            CpuWindow? before = null;
            foreach (int count in Clients)
            {
                int refused = clients.Refused;
                using var end = CancellationTokenSource.CreateLinkedTokenSource(cancel);
                Task running = run(count, end.Token);
                await Task.Delay(Settling, cancel);
                CpuWindow window = await CpuWindow.OfAsync(servers.Processes, () => clients.Done, time, cancel);
                await end.CancelAsync();
                await running;
                window.Print(load, count);
                if (clients.Refused > refused)
                {
                    Console.WriteLine($"{clients.Refused - refused} of these were refused, or broke off");
                }

                if (before is not null)
                {
                    Judge(before, window);
                }

                before = window;
                await Task.Delay(Settling, cancel);
            }
        }
    }

    // C6c of the papers' figures: no server is full while more clients still get more.
    private static void Judge(CpuWindow before, CpuWindow after)
    {
        const double Rises = 1.05,
            Full = 95;
        if (after.Rate > before.Rate * Rises && after.Most > Full)
        {
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"a server had {after.Most:0} % of a core, and the rate still rose: asked is at most {Full} %"
                )
            );
        }
    }
}
