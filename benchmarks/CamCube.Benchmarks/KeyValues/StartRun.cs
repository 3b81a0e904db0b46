using System.Diagnostics;
using System.Globalization;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>
/// How long a server of the key-value store takes to start, on files of this machine: fills one with keys, then starts
/// it after orderly stops and after kill -9, each in a process of its own (<see cref="StartNode"/>).
/// </summary>
internal static class StartRun
{
    public static int Run(string[] args)
    {
        int keys = Option(args, "--keys", 10_000_000),
            length = Option(args, "--value", 32),
            rounds = Option(args, "--rounds", 3),
            at = Array.IndexOf(args, "--folder");
        bool isOwn = at < 0;
        string folder = isOwn ? Directory.CreateTempSubdirectory("camcube-kv-").FullName : args[at + 1];
        LiveCubes.PrintMachine();
        Console.WriteLine($"{keys} keys of {StartNode.KeyLength} bytes, values of {length}");
        try
        {
            if (!Directory.EnumerateFiles(folder, "seg-*.log", SearchOption.AllDirectories).Skip(3).Any())
            {
                Console.WriteLine($"fill            {Node(folder, keys, length, isKilled: false)}");
            }

            for (int round = 0; round < rounds; round++)
            {
                Console.WriteLine($"after a stop    {Node(folder, keys, 0, isKilled: true)}");
                Console.WriteLine($"after kill -9   {Node(folder, keys, 0, isKilled: false)}");
            }
        }
        finally
        {
            if (isOwn)
            {
                Directory.Delete(folder, recursive: true);
            }
        }

        return 0;
    }

    private static string Node(string folder, int keys, int length, bool isKilled)
    {
        using var node = new Process();
        node.StartInfo = new ProcessStartInfo(Environment.ProcessPath!)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        if (Path.GetFileNameWithoutExtension(node.StartInfo.FileName) == "dotnet")
        {
            node.StartInfo.ArgumentList.Add(Environment.GetCommandLineArgs()[0]);
        }

        string[] words =
        [
            "kv-start-node",
            folder,
            keys.ToString(CultureInfo.InvariantCulture),
            length.ToString(CultureInfo.InvariantCulture),
            isKilled ? "kill" : "stop",
        ];
        foreach (string word in words)
        {
            node.StartInfo.ArgumentList.Add(word);
        }

        node.Start();
        string said = node.StandardOutput.ReadLine() ?? "it said nothing";
        if (isKilled)
        {
            node.Kill();
        }
        else
        {
            node.StandardInput.WriteLine();
            said += $"; {node.StandardOutput.ReadLine()}";
        }

        node.WaitForExit();
        return said;
    }

    private static int Option(string[] args, string name, int otherwise)
    {
        int at = Array.IndexOf(args, name);
        return at < 0 ? otherwise : int.Parse(args[at + 1], CultureInfo.InvariantCulture);
    }
}
