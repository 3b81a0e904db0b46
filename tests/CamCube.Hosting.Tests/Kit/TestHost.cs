using System.Collections;
using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Hosting.Cubes;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.Systemd;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>A host in this process: real ports on loopback, a folder of its own, output in memory.</summary>
internal sealed class TestHost : IAsyncDisposable
{
    /// <summary>The last line that a host prints when it is ready begins like this.</summary>
    private const string LastLine = "  dotnet run --project tools/camcube";

    private readonly TestFolder _folder;

    private TestHost(TestFolder folder, int http, int echo) => (_folder, HttpPort, EchoPort) = (folder, http, echo);

    public TestFolder Folder => _folder;

    public int HttpPort { get; }

    public int EchoPort { get; }

    public required LineWriter Output { get; init; }

    public required LineWriter Errors { get; init; }

    public required Task<int> Exit { get; init; }

    public required HttpClient Http { get; init; }

    public required CancellationTokenSource Stop { get; init; }

    /// <summary>Starts a host; waits until it is ready or has ended.</summary>
    public static async Task<TestHost> StartAsync(
        ICubeFactory cube,
        IEnumerable<string>? arguments = null,
        bool echo = true,
        IReadOnlyList<ILinkProvider>? links = null,
        int ports = 27,
        Action<TestFolder>? prepare = null
    )
    {
        TestHost host = Begin(cube, arguments, echo, links, ports, prepare: prepare);
        await Task.WhenAny(host.Output.LineAsync(LastLine), host.Exit)
            .SoonAsync(() => string.Join('\n', host.Errors.Lines));
        return host;
    }

    /// <summary>Starts a host and does not wait.</summary>
    public static TestHost Begin(
        ICubeFactory cube,
        IEnumerable<string>? arguments = null,
        bool echo = true,
        IReadOnlyList<ILinkProvider>? links = null,
        int ports = 27,
        TimeProvider? time = null,
        IDictionary? environment = null,
        Func<ISystemdNotifier>? systemd = null,
        Func<IServiceProvider, IHostLifetime>? service = null,
        Action<TestFolder>? prepare = null
    )
    {
        TestFolder folder = new();
        prepare?.Invoke(folder);
        LineWriter output = new(),
            errors = new();
        CancellationTokenSource stop = new();
        int http = FreePorts.Take(2 * ports),
            echoPort = http + ports;
        HostSetup setup = new()
        {
            Arguments =
            [
                $"--Http:Port={http}",
                .. echo ? [$"--FrontEnds:echo:Port={echoPort}", "--Services:echo:Enabled=true"] : Array.Empty<string>(),
                .. arguments ?? [],
            ],
            Cubes = [cube],
            LinkProviders = links ?? [],
            Folder = folder.Path,
            Environment = environment ?? new Hashtable(),
            Output = output,
            Errors = errors,
            Time = time ?? TimeProvider.System,
            Systemd = systemd ?? (static () => NotifySocket.NotifierOf("")),
            ServiceLifetime = service,
        };
        return new TestHost(folder, http, echoPort)
        {
            Exit = Task.Run(() => HostProgram.RunAsync(setup, stop.Token)),
            Output = output,
            Errors = errors,
            Stop = stop,
            Http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{http}") },
        };
    }

    public async Task<JsonElement> StatusAsync() => await Http.GetFromJsonAsync<JsonElement>("/api/status").SoonAsync();

    /// <summary>Connects to the front end of a server and reads its greeting.</summary>
    public async Task<EchoClient> ConnectAsync(int rank) => await EchoClient.ConnectAsync(EchoPort + rank);

    /// <summary>Stops it as Ctrl+C does; the exit code.</summary>
    public async Task<int> StopAsync()
    {
        await Stop.CancelAsync();
        return await Exit.SoonAsync(() => string.Join('\n', Errors.Lines));
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        FreePorts.Return(HttpPort, 2 * (EchoPort - HttpPort));
        Http.Dispose();
        Stop.Dispose();
        _folder.Dispose();
    }
}
