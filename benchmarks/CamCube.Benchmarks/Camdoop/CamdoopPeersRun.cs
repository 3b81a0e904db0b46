using System.Globalization;
using System.Security.Cryptography;
using CamCube.Benchmarks.Images;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Camdoop;

/// <summary>MapReduce on 27 servers in one process beside programs that nobody here wrote, on the same bytes: processor
/// time, and equal output. There is nothing to win by more processors here: it is what the detour over a cube
/// costs.</summary>
internal static class CamdoopPeersRun
{
    private const int StandardRounds = 3;
    private const int WarmUps = 3;
    private const string Cube = "camdoop";

    public static async Task<int> RunAsync(string[] args)
    {
        if (RunWords.Read("camdoop-peers", args, StandardRounds, "words", "sort", "cat") is not { } words)
        {
            return 2;
        }

        LiveCubes.PrintMachine();
        LiveCubes.PrintLoad();
        string folder = Directory.CreateTempSubdirectory("camcube-camdoop-peers-").FullName;
        try
        {
            using CamdoopHost host = await CamdoopHost.StartAsync(folder);
            double idle = await host.IdleAsync();
            Console.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"idle, in what follows: {idle:0.00} s of CPU per second")
            );
            foreach (
                (string name, Action run) in new (string, Action)[]
                {
                    ("words", () => CountWords(host, folder, words.Rounds)),
                    ("sort", () => Sort(host, folder, words.Rounds)),
                    ("cat", () => Cat(host, folder, words.Rounds)),
                }
            )
            {
                if (words.Has(name))
                {
                    run();
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

    // 70 MB of text, counted in C# at every server on the way.
    private static void CountWords(CamdoopHost host, string folder, int rounds)
    {
        string text = Generate(host, folder, "text", "70MB");
        string output = Path.Combine(folder, "words");
        Rounds all = new();
        for (int round = -WarmUps; round < rounds; round++)
        {
            string to = $"/words{round + WarmUps}";
            string jobs = BuiltProgram.Find("Jobs", "Jobs.dll");
            RunJob(
                all,
                host,
                round,
                [
                    .. (string[])["-assembly", jobs, "-mapper-type", "Jobs.WordCount+Words"],
                    .. (string[])["-combiner-type", "Jobs.WordCount+Sum", "-reducer-type", "Jobs.WordCount+Sum"],
                    .. (string[])["-input", "/text", "-output", to, "-numReduceTasks", "1"],
                ]
            );
            Shell(
                all,
                "tr | sort | uniq -c",
                round,
                $"cat {text}/part-* | tr -s ' ' '\\n' | sort | uniq -c > {output}.c"
            );
            const string Awk = "{for (i = 1; i <= NF; i++) c[$i]++} END {for (w in c) print w \"\\t\" c[w]}";
            Shell(all, "mawk | sort", round, $"cat {text}/part-* | mawk '{Awk}' | sort > {output}");
            CheckEqual("the words", HashOf(host, folder, to), HashOf(output));
        }

        all.Print("s of CPU, word count of 70 MB");
        all.Ratio("words: camdoop / tr | sort | uniq -c", Cube, "tr | sort | uniq -c", "<= 1.0");
        all.Ratio("words: camdoop / mawk", Cube, "mawk | sort", "<= 2");
    }

    // A million records of 100 bytes, whole lines as keys, into one file.
    private static void Sort(CamdoopHost host, string folder, int rounds)
    {
        string records = Generate(host, folder, "sort", "100MB");
        string output = Path.Combine(folder, "sorted");
        Rounds all = new();
        for (int round = -WarmUps; round < rounds; round++)
        {
            string to = $"/sorted{round + WarmUps}";
            RunJob(
                all,
                host,
                round,
                [
                    .. (string[])["-inputformat", "KeyValueTextInputFormat"],
                    .. (string[])["-D", "textinputformat.record.delimiter=\n", "-input", "/sort"],
                    .. (string[])["-output", to, "-numReduceTasks", "1", "-reducer", "IdentityReducer"],
                ]
            );

            // A key without a value has a tab behind it, as Hadoop Streaming has it.
            Shell(all, "sort", round, $"cat {records}/part-* | sort > {output}");
            Programs.Run("bash", ["-c", $"LC_ALL=C sed 's/$/\\t/' {output} > {output}.tabs"]);
            CheckEqual("the records", HashOf(host, folder, to), HashOf($"{output}.tabs"));
        }

        all.Print("s of CPU, sort of 1,000,000 records of 100 bytes");
        all.Ratio("sort: camdoop / sort", Cube, "sort", "<= 3");
    }

    // All bytes through a program, and into three copies.
    private static void Cat(CamdoopHost host, string folder, int rounds)
    {
        string text = Generate(host, folder, "text", "70MB");
        Rounds all = new();
        for (int round = -WarmUps; round < rounds; round++)
        {
            string to = $"/cat{round + WarmUps}";
            RunJob(all, host, round, "-input", "/text", "-output", to, "-mapper", "cat", "-reducer", "NONE");
            string copies = string.Join("; ", Enumerable.Range(0, 3).Select(i => $"cat < $f > {folder}/copy{i}"));
            Shell(all, "cat, three times", round, $"for f in {text}/part-*; do {copies}; done");
            host.Run("files", "rm", "-r", to);
        }

        all.Print("s of CPU, 70 MB through cat");
        all.Ratio("cat: camdoop / cat, three times", Cube, "cat, three times", "<= 6");
    }

    private static string Generate(CamdoopHost host, string folder, string kind, string size)
    {
        string local = Path.Combine(folder, kind);
        if (!Directory.Exists(local))
        {
            host.Run("camdoop", "generate", kind, "--size", size, "--files", "27", "--out", local);
            host.Run("files", "put", local, $"/{kind}");
        }

        return local;
    }

    private static void RunJob(Rounds all, CamdoopHost host, int round, params IReadOnlyList<string> words) =>
        Measure(all, Cube, round, () => host.Cpu, () => host.Run(["camdoop", .. words]));

    private static void Shell(Rounds all, string what, int round, string script) =>
        Measure(
            all,
            what,
            round,
            ProcessTreeTime.OfEnded,
            () => Programs.Run("bash", ["-c", $"export LC_ALL=C; set -o pipefail; {script}"])
        );

    // Code is compiled, and compiled again, before it counts.
    private static void Measure(Rounds all, string what, int round, Func<TimeSpan> cpu, Action run)
    {
        TimeSpan before = cpu();
        run();
        if (round >= 0)
        {
            all.Add(what, (cpu() - before).TotalSeconds);
        }
    }

    private static string HashOf(CamdoopHost host, string folder, string output)
    {
        string path = Path.Combine(folder, "given");
        host.Run("files", "get", $"{output}/part-00000", path);
        string hash = HashOf(path);
        File.Delete(path);
        host.Run("files", "rm", "-r", output);
        return hash;
    }

    private static string HashOf(string path)
    {
        using FileStream file = File.OpenRead(path);
        return Convert.ToHexString(SHA256.HashData(file));
    }

    private static void CheckEqual(string what, string given, string expected)
    {
        if (given != expected)
        {
            throw new TestbedException($"{what} are not what one machine makes of them.");
        }
    }
}
