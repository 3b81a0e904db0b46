using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using CamCube.SystemTests.CommandLine;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary>A testbed of the built tool and host, with ways into its namespaces. Removed when it is disposed, and if a
/// run of these tests was killed, by the next one.</summary>
internal sealed class CableBed : IAsyncDisposable
{
    private const string Folder = "/run/camcube-testbed";
    private static readonly Lock Gate = new();
    private static Task? _tidied;
    private static int _number;
    private readonly (int X, int Y, int Z) _shape;

    private CableBed(string name, string shape)
    {
        int[] sizes = [.. shape.Split('x').Select(int.Parse)];
        (Name, _shape) = (name, (sizes[0], sizes[1], sizes[2]));
    }

    public string Name { get; }

    public int Count => _shape.X * _shape.Y * _shape.Z;

    /// <summary>What up said.</summary>
    public JsonElement Up { get; private set; }

    /// <summary>A name for a testbed of this process.</summary>
    public static string NewName() => $"ct{Environment.ProcessId}-{Interlocked.Increment(ref _number)}";

    /// <summary>One that is not there yet, to be looked at while it is started.</summary>
    public static CableBed Named(string shape) => new(NewName(), shape);

    /// <summary>Makes a testbed and waits for all its servers.</summary>
    public static Task<CableBed> StartAsync(string shape, string shim, params string[] options) =>
        StartAsync(Named(shape), shim, options);

    /// <summary>Makes a testbed and waits for all its servers.</summary>
    public static async Task<CableBed> StartAsync(CableBed bed, string shim, params string[] options)
    {
        RequireAll.Testbed();
        await TidyAsync();
        (int x, int y, int z) = bed._shape;
        string shape = $"{x}x{y}x{z}";
        ToolRun run = await ToolRun.Of([
            "testbed",
            "up",
            "--json",
            "--name",
            bed.Name,
            "--shape",
            shape,
            "--shim",
            shim,
            "--timeout",
            "100s",
            .. options,
        ]);
        if (run.ExitCode != 0)
        {
            string logs = bed.Logs();
            await bed.DisposeAsync();
            Assert.Fail($"testbed up: {run.Error}\n{logs}");
        }

        bed.Up = JsonDocument.Parse(run.Output).RootElement;
        return bed;
    }

    public string Coordinate(int rank) =>
        $"{rank % _shape.X},{rank / _shape.X % _shape.Y},{rank / _shape.X / _shape.Y}";

    public string NamespaceOf(int rank) => $"{Name}-{Coordinate(rank).Replace(',', '-')}";

    /// <summary>Where a server keeps what it has to know after a start.</summary>
    public string StateFolderOf(int rank) => Path.Combine(Folder, Name, Coordinate(rank).Replace(',', '-'));

    /// <summary>The rank one step along an axis.</summary>
    public int Step(int rank, int axis, int by)
    {
        int[] at = [.. Coordinate(rank).Split(',').Select(int.Parse)],
            size = [_shape.X, _shape.Y, _shape.Z];
        at[axis] = (at[axis] + by + size[axis]) % size[axis];
        return at[0] + (_shape.X * (at[1] + (_shape.Y * at[2])));
    }

    public async Task<MemcachedClient> MemcachedAsync(int rank) =>
        new(new NetworkStream(await NamespaceSocket.ConnectAsync(NamespaceOf(rank), 11211), ownsSocket: true));

    /// <summary>An answer of a server's HTTP interface, whatever its status.</summary>
    public async Task<JsonElement> GetAsync(int rank, string path)
    {
        using HttpClient http = Http(rank);
        return JsonDocument.Parse(await (await http.GetAsync(path)).Content.ReadAsStringAsync()).RootElement;
    }

    /// <summary>Posts nothing to a server's HTTP interface.</summary>
    public async Task<HttpStatusCode> PostAsync(int rank, string path)
    {
        using HttpClient http = Http(rank);
        using HttpResponseMessage answer = await http.PostAsync(path, null);
        return answer.StatusCode;
    }

    /// <summary>As <see cref="GetAsync"/>, or nothing while the server does not answer yet.</summary>
    public async Task<JsonElement> TryGetAsync(int rank, string path)
    {
        try
        {
            return await GetAsync(rank, path);
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            return JsonDocument.Parse("{}").RootElement;
        }
    }

    /// <summary>What a server says of itself.</summary>
    public async Task<JsonElement> ServerAsync(int rank) =>
        (await GetAsync(rank, "/api/status")).GetProperty("servers")[0];

    /// <summary>Runs a command of the testbed, which must succeed.</summary>
    public async Task<string> DoAsync(string command, params string[] arguments)
    {
        ToolRun run = await ToolRun.Of(["testbed", command, .. arguments, "--name", Name]);
        Assert.True(run.ExitCode == 0, $"testbed {command} {string.Join(' ', arguments)}: {run.Error}");
        return run.Output;
    }

    /// <summary>Runs a program in a server's namespace, which must succeed.</summary>
    public Task<string> InsideAsync(int rank, params string[] words) =>
        ProgramRun.Must("ip", ["netns", "exec", NamespaceOf(rank), .. words]);

    /// <summary>Replaces what is plugged into a port by a cable to another port. Both interfaces vanish and come
    /// back.</summary>
    public async Task PlugAsync(int rank, string port, int otherRank, string otherPort)
    {
        await ProgramRun.Of("ip", "-n", NamespaceOf(rank), "link", "delete", port);
        await ProgramRun.Of("ip", "-n", NamespaceOf(otherRank), "link", "delete", otherPort);
        await ProgramRun.Must(
            "ip",
            "link",
            "add",
            port,
            "netns",
            NamespaceOf(rank),
            "mtu",
            "9000",
            "type",
            "veth",
            "peer",
            "name",
            otherPort,
            "netns",
            NamespaceOf(otherRank),
            "mtu",
            "9000"
        );
        await ProgramRun.Must("ip", "-n", NamespaceOf(rank), "link", "set", port, "up");
        await ProgramRun.Must("ip", "-n", NamespaceOf(otherRank), "link", "set", otherPort, "up");
    }

    /// <summary>Asks until an answer is as it should be, or fails with the last one.</summary>
    public async Task<T> UntilAsync<T>(string what, Func<Task<T>> ask, Func<T, bool> isRight, TimeSpan limit)
    {
        DateTime late = DateTime.UtcNow + limit;
        for (; ; )
        {
            T answer = await ask();
            if (isRight(answer))
            {
                return answer;
            }

            Assert.True(DateTime.UtcNow < late, $"{what}: not within {limit}; the last answer was {answer}\n{Logs()}");
            await Task.Delay(50);
        }
    }

    /// <summary>All that a server has logged.</summary>
    public string LogOf(int rank)
    {
        string file = StateFolderOf(rank) + ".log";
        return File.Exists(file) ? File.ReadAllText(file) : "";
    }

    /// <summary>Ends of the servers' logs, without what they say when they are ready.</summary>
    public string Logs()
    {
        string folder = Path.Combine(Folder, Name);
        string[] files = Directory.Exists(folder) ? Directory.GetFiles(folder, "*.log") : [];
        return string.Join(
            '\n',
            files
                .Order()
                .SelectMany(file =>
                    File.ReadLines(file)
                        .Where(line =>
                            line.Length > 0 && line[0] != ' ' && !line.StartsWith("Try:", StringComparison.Ordinal)
                        )
                        .TakeLast(6)
                        .Select(line => $"{Path.GetFileNameWithoutExtension(file)}: {line}")
                )
        );
    }

    public async ValueTask DisposeAsync() => await ToolRun.Of("testbed", "down", "--name", Name);

    /// <summary>Removes testbeds of runs that do not live any more.</summary>
    public static Task TidyAsync()
    {
        lock (Gate)
        {
            return _tidied ??= RemoveOldAsync();
        }
    }

    private HttpClient Http(int rank) =>
        new(
            new SocketsHttpHandler
            {
                UseProxy = false,
                ConnectCallback = async (_, cancel) =>
                    new NetworkStream(
                        await NamespaceSocket.ConnectAsync(NamespaceOf(rank), 8080, cancel),
                        ownsSocket: true
                    ),
            }
        )
        {
            BaseAddress = new Uri("http://127.0.0.1:8080"),
            Timeout = TimeSpan.FromSeconds(30),
        };

    private static async Task RemoveOldAsync()
    {
        string[] states = Directory.Exists(Folder) ? Directory.GetFiles(Folder, "ct*.json") : [];
        foreach (string name in states.Select(file => Path.GetFileNameWithoutExtension(file)!))
        {
            if (
                int.TryParse(name[2..].Split('-')[0], out int process)
                && process != Environment.ProcessId
                && !Directory.Exists($"/proc/{process}")
            )
            {
                await ToolRun.Of("testbed", "down", "--name", name);
            }
        }
    }

    /// <summary>No file, namespace or process of a testbed is there.</summary>
    public static void AssertNothingLeft(string name)
    {
        string[] files = Directory.Exists("/run/camcube-testbed")
            ? Directory.GetFileSystemEntries("/run/camcube-testbed", $"{name}*")
            : [];
        string[] namespaces = Directory.Exists("/run/netns") ? Directory.GetFiles("/run/netns", $"{name}-*") : [];
        Assert.Empty(files);
        Assert.Empty(namespaces);
        Assert.Empty(
            Process
                .GetProcesses()
                .Where(p => CommandLine(p.Id).Contains($"ClusterId={name}", StringComparison.Ordinal))
                .Select(p => p.Id)
        );
    }

    private static string CommandLine(int process)
    {
        try
        {
            return File.ReadAllText($"/proc/{process}/cmdline");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
