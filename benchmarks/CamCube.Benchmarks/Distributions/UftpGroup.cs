using System.Diagnostics;
using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Distributions;

/// <summary>uftp, which sends a file by multicast: a client in each of a bridge's namespaces but the first, which is
/// the server.</summary>
internal sealed class UftpGroup : IDisposable
{
    private readonly SwitchedServers _servers;
    private readonly int _count;
    private readonly long _bitsPerSecond;
    private readonly int _blockBytes;
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-uftp-").FullName;
    private readonly List<OwnProcess> _clients = [];

    /// <summary>Starts the clients.</summary>
    /// <param name="count">Servers, the sender included.</param>
    /// <param name="mtu">Bytes of the largest IP packet.</param>
    /// <param name="bitsPerSecond">Of a port.</param>
    public UftpGroup(int count, int mtu, long bitsPerSecond)
    {
        const int Headers = 200;
        (_count, _bitsPerSecond, _blockBytes) = (count, bitsPerSecond, mtu - Headers);
        _servers = new SwitchedServers(count, mtu, bitsPerSecond);
        for (int i = 1; i < count; i++)
        {
            string folder = Directory.CreateDirectory(FolderOf(i)).FullName;
            string[] client = ["uftpd", "-d", "-D", folder, "-I", SwitchedServers.Port, "-L", $"{folder}.log"];
            _clients.Add(OwnProcess.Start("ip", ["netns", "exec", _servers.NameOf(i), .. client]));
        }
    }

    /// <summary>The processes of the clients.</summary>
    public IReadOnlyList<int> Processes => [.. _clients.Select(static client => client.Id)];

    /// <summary>Sends a file to all, and looks at what they have.</summary>
    /// <param name="file">The file, of a name that it has not sent.</param>
    /// <param name="rounds">Gets what it took: from when all clients have answered to when all have the file.</param>
    public async Task SendAsync(string file, Action<double, double> rounds)
    {
        double before = _clients.Sum(static client => ProcessorTime.SecondsOf(client.Id));

        // Its own rate is that of the port with headers, as near as it does without losses.
        string rate = string.Create(CultureInfo.InvariantCulture, $"{_bitsPerSecond * 97 / 100 / 1_000}");
        string block = string.Create(CultureInfo.InvariantCulture, $"{_blockBytes}");
        ProcessStartInfo start = new(
            "ip",
            [
                "netns",
                "exec",
                _servers.NameOf(0),
                "uftp",
                "-R",
                rate,
                "-b",
                block,
                "-I",
                SwitchedServers.Port,
                "-M",
                "230.4.4.1",
                file,
            ]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process sender = Programs.Start(start);
        double own = 0;
        Task watched = Task.Run(async () =>
        {
            while (!sender.HasExited)
            {
                own = Math.Max(own, ProcessorTime.SecondsOf(sender.Id));
                await Task.Delay(20);
            }
        });
        Task<string> output = sender.StandardOutput.ReadToEndAsync();
        string said = await sender.StandardError.ReadToEndAsync() + await output;
        await sender.WaitForExitAsync();
        await watched;
        string total =
            said.Split('\n')
                .FirstOrDefault(static line => line.Contains("Total elapsed time", StringComparison.Ordinal))
            ?? throw new TestbedException($"uftp did not send it: {said[^Math.Min(said.Length, 300)..]}");
        double seconds = double.Parse(
            total.Split(':')[^1].Trim().Split(' ')[0],
            NumberStyles.Float,
            CultureInfo.InvariantCulture
        );
        for (int i = 1; i < _count; i++)
        {
            SameFile.Check(file, Path.Combine(FolderOf(i), Path.GetFileName(file)));
        }

        double after = _clients.Sum(static client => ProcessorTime.SecondsOf(client.Id));
        rounds(seconds, after - before + own);
    }

    public void Dispose()
    {
        _clients.ForEach(static client => client.Dispose());
        _servers.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private string FolderOf(int server) => Path.Combine(_folder, $"{server}");
}
