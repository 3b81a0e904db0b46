using CamCube.Benchmarks.Cables;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>Two tinc daemons, each in a network namespace, over a pair of virtual cards: as switches, and without
/// encryption, sums or compression. What it carries are frames of 1,500 bytes; it knows no longer ones.</summary>
internal sealed class TincPair : IDisposable
{
    private const string Card = "tinc0";
    private static readonly string[] Places = ["a", "b"];
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-tinc-").FullName;
    private readonly Namespaces _cables = Namespaces.Row(1_500);
    private readonly List<OwnProcess> _daemons = [];

    /// <summary>The namespace that asks.</summary>
    public string From => _cables.NameOf(Places[0]);

    /// <summary>The one that answers.</summary>
    public string To => _cables.NameOf(Places[1]);

    /// <summary>Its address.</summary>
    public string Address => AddressOf(1);

    /// <summary>Processor time of both daemons so far, in seconds.</summary>
    public double CpuSeconds => _daemons.Sum(static daemon => ProcessorTime.SecondsOf(daemon.Id));

    /// <summary>Starts them, and waits until one reaches the other.</summary>
    public static async Task<TincPair> StartAsync()
    {
        var pair = new TincPair();
        try
        {
            pair.Configure();
            for (int i = 0; i < Places.Length; i++)
            {
                string folder = pair.FolderOf(Places[i]);
                pair._daemons.Add(
                    OwnProcess.Start(
                        "ip",
                        [
                            "netns",
                            "exec",
                            pair._cables.NameOf(Places[i]),
                            "tincd",
                            "-c",
                            folder,
                            "-D",
                            $"--pidfile={folder}/pid",
                        ]
                    )
                );
            }

            await OwnProcess.UntilAsync("tinc", () => Task.FromResult(pair.IsUp()));
        }
        catch
        {
            pair.Dispose();
            throw;
        }

        return pair;
    }

    public void Dispose()
    {
        _daemons.ForEach(static daemon => daemon.Dispose());
        _cables.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static string AddressOf(int place) => $"10.98.0.{place + 1}";

    private string FolderOf(string place) => Path.Combine(_folder, place);

    private void Configure()
    {
        for (int i = 0; i < Places.Length; i++)
        {
            string folder = FolderOf(Places[i]);
            Directory.CreateDirectory(Path.Combine(folder, "hosts"));
            string connects = i == 0 ? $"ConnectTo = {Places[1]}\n" : "";
            File.WriteAllText(
                Path.Combine(folder, "tinc.conf"),
                $"Name = {Places[i]}\nMode = switch\nDeviceType = tap\nInterface = {Card}\n{connects}"
            );
            File.WriteAllText(
                HostFile(Places[i], Places[i]),
                $"Address = 10.9.1.{i + 1}\nCipher = none\nDigest = none\nCompression = 0\n"
            );

            // Appends the public key to the host's file.
            Programs.Run("tincd", ["-c", folder, "-K", "2048"]);
        }

        File.Copy(HostFile(Places[0], Places[0]), HostFile(Places[1], Places[0]));
        File.Copy(HostFile(Places[1], Places[1]), HostFile(Places[0], Places[1]));
    }

    private string HostFile(string at, string of) => Path.Combine(FolderOf(at), "hosts", of);

    // The cards come with the daemons.
    private bool IsUp()
    {
        for (int i = 0; i < Places.Length; i++)
        {
            string name = _cables.NameOf(Places[i]);
            Programs.Try("ip", ["-n", name, "address", "add", $"{AddressOf(i)}/24", "dev", Card]);
            Programs.Try("ip", ["-n", name, "link", "set", Card, "up"]);
        }

        return Ping.Answers(From, Address);
    }
}
