using CamCube.Experiments.Images;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>Processor time of a stored picture of 1.47 MB (checks, worker, three copies in memory, HTTP) beside
/// vipsthumbnail, which reads a file and writes one.</summary>
internal static class StorePart
{
    private const int Pictures = 24;
    private const int Distinct = 8;
    private const int WarmUps = 24;

    public static async Task RunAsync(ImageHost host, string folder, int rounds)
    {
        byte[][] pictures =
        [
            .. Enumerable.Range(0, Distinct).Select(static seed => MadePictures.Make(seed, MadePictures.MeanBytes)),
        ];
        string[] files = [.. Enumerable.Range(0, Pictures).Select(i => Path.Combine(folder, $"{i}.jpg"))];
        for (int i = 0; i < files.Length; i++)
        {
            await File.WriteAllBytesAsync(files[i], pictures[i % Distinct]);
        }

        bool hasPeer = OwnProcess.IsInstalled("vipsthumbnail");
        if (!hasPeer)
        {
            Console.WriteLine("vipsthumbnail is not installed: nothing beside the store");
        }

        // Code is compiled, and compiled again for what it does most, and workers start before it counts: of the first
        // twenty seconds half is the compiler.
        for (int i = 1; i <= WarmUps; i++)
        {
            await StoreAsync(host, pictures, -i);
        }

        if (hasPeer)
        {
            await Likeness.CheckAsync(host, folder, pictures);
        }

        Rounds all = new();
        for (int round = 0; round < rounds; round++)
        {
            TimeSpan before = host.Cpu;
            await StoreAsync(host, pictures, round);
            all.Add("stored", (host.Cpu - before).TotalMilliseconds / Pictures);
            if (hasPeer)
            {
                before = ProcessTreeTime.OfEnded();
                Programs.Run("vipsthumbnail", ["-s", "160x160", "-o", "tn_%s.jpg", .. files]);
                all.Add("vipsthumbnail, all files", (ProcessTreeTime.OfEnded() - before).TotalMilliseconds / Pictures);
                before = ProcessTreeTime.OfEnded();
                foreach (string file in files)
                {
                    Programs.Run("vipsthumbnail", ["-s", "160x160", "-o", "tn_%s.jpg", file]);
                }

                all.Add(
                    "vipsthumbnail, a process each",
                    (ProcessTreeTime.OfEnded() - before).TotalMilliseconds / Pictures
                );
            }
        }

        all.Print("ms CPU a picture");
        all.Ratio("stored / vipsthumbnail for all files", "stored", "vipsthumbnail, all files", "<= 1.6");
        all.Ratio("stored / vipsthumbnail, a process each", "stored", "vipsthumbnail, a process each", "<= 0.7");
    }

    private static Task StoreAsync(ImageHost host, byte[][] pictures, int round) =>
        Parallel.ForEachAsync(
            Enumerable.Range(0, Pictures),
            new ParallelOptions { MaxDegreeOfParallelism = 2 },
            async (i, _) => await host.StoreAsync(i % 3, $"picture {i} {round}", pictures[i % Distinct])
        );
}
