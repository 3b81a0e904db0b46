using System.Diagnostics;
using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Distributions;

/// <summary>A file of one server to 26 others: over the cables of a cube, and beside it over a switch with a port of
/// one cable's rate for each, by multicast (uftp).</summary>
internal static class DistributionPeersRun
{
    private const int StandardRounds = 5;
    private const int FileBytes = 20_000_000;
    private const int Mtu = 9_000;
    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(10);

    // Six of them at each of 27 servers are what two processors carry. At 10 Mbit/s they are busy all the time.
    private const long LinkBitsPerSecond = 4_000_000;
    private static readonly TorusShape Shape = new(3, 3, 3);

    public static async Task<int> RunAsync(string[] args)
    {
        if (RunWords.Read("distribution-peers", args, StandardRounds) is not { } words)
        {
            return 2;
        }

        using var over = new Interruption();
        LiveCubes.PrintMachine();
        LiveCubes.PrintLoad();
        string folder = Directory.CreateTempSubdirectory("camcube-files-").FullName;
        try
        {
            TestbedNetwork.CheckMachine();
            if (!OwnProcess.IsInstalled("uftpd"))
            {
                throw new TestbedException("this needs uftp (tools/install-test-dependencies peers).");
            }

            await MeasureAsync(folder, words.Rounds, over.Token);
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

    private static async Task MeasureAsync(string folder, int rounds, CancellationToken cancel)
    {
        const string Cube = "cube, six trees",
            Switch = "switch, uftp";
        Rounds seconds = new(),
            cpu = new();
        using FilesOnCables cube = await FilesOnCables.StartAsync(Shape, Mtu, LinkBitsPerSecond, cancel);
        using var uftp = new UftpGroup(Shape.Count, Mtu, LinkBitsPerSecond);
        var random = new Random(1);

        // What the cube's servers run is compiled twice, which is over after some files; uftp has nothing to compile.
        const int WarmUp = 5;
        for (int round = -WarmUp; round < rounds; round++)
        {
            cancel.ThrowIfCancellationRequested();
            string file = Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"file{round + WarmUp}"));
            byte[] bytes = new byte[FileBytes];
            random.NextBytes(bytes);
            await File.WriteAllBytesAsync(file, bytes, cancel);
            await cube.SendAsync(file, (took, processor) => Add(Cube, took, processor));
            if (round >= -1)
            {
                await uftp.SendAsync(file, (took, processor) => Add(Switch, took, processor));
            }

            File.Delete(file);

            void Add(string what, double took, double processor)
            {
                if (round >= 0)
                {
                    seconds.Add(what, took);
                    cpu.Add(what, processor / FileBytes / (Shape.Count - 1) * 1e9);
                }
            }
        }

        // Of what they take while they send, this would be taken anyway.
        double idle = await ShareAsync(cube.Processes, Idle, cancel) / Shape.Count,
            idleUftp = await ShareAsync(uftp.Processes, Idle, cancel) / (Shape.Count - 1);
        double port = FileBytes * 8.0 / LinkBitsPerSecond;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{FileBytes / 1e6:0} MB to 26 servers, links and ports of {LinkBitsPerSecond / 1e6:0} Mbit/s, "
                    + $"frames of {Mtu + 14:N0} bytes"
            )
        );
        seconds.Print("s");
        cpu.Print("ns of CPU per byte delivered");
        seconds.Ratio("uftp / cube, time", Switch, Cube, ">= 4.5");
        cpu.Ratio("cube / uftp, CPU", Cube, Switch, "<= 1.5");
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"idle: {idle * 1e3:0.0} ms of CPU in a second of a server, {idleUftp * 1e3:0.0} of a uftpd"
            )
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"closed forms: 26 copies from one server over its port {26 * port:0} s; six links {port / 6:0.00} s"
            )
        );
    }

    // Processors that they keep busy.
    private static async Task<double> ShareAsync(IReadOnlyList<int> processes, TimeSpan time, CancellationToken cancel)
    {
        double before = processes.Sum(ProcessorTime.SecondsOf);
        long begin = Stopwatch.GetTimestamp();
        await Task.Delay(time, cancel);
        return (processes.Sum(ProcessorTime.SecondsOf) - before) / Stopwatch.GetElapsedTime(begin).TotalSeconds;
    }
}
