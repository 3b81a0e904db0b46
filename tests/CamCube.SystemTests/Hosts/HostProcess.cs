using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;
using CamCube.Testing;

namespace CamCube.SystemTests.Hosts;

/// <summary>The built host as a process of its own, on free ports.</summary>
internal sealed partial class HostProcess : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly PortSlice Ports = PortSlice.Take("system-tests", first: 18_000, slices: 4, count: 3_400);
    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private HostProcess(Process process, int memcachedPort, int httpPort)
    {
        (_process, MemcachedPort, HttpPort) = (process, memcachedPort, httpPort);
        Http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{httpPort}"), Timeout = Patience };
    }

    public int MemcachedPort { get; }

    public int HttpPort { get; }

    public HttpClient Http { get; }

    public int ProcessId => _process.Id;

    public bool HasEnded => _process.HasExited;

    /// <summary>Everything it printed so far, errors included.</summary>
    public string Output
    {
        get
        {
            lock (_output)
            {
                return _output.ToString();
            }
        }
    }

    /// <summary>Starts a host and waits for its ready line.</summary>
    public static async Task<HostProcess> StartAsync(int memcachedPort = 0, int httpPort = 0, params string[] settings)
    {
        bool choosesPorts = memcachedPort == 0 && httpPort == 0;
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return await StartOnceAsync(memcachedPort, httpPort, settings);
            }
            catch (InvalidOperationException e)
                when (choosesPorts && attempt < 3 && e.Message.Contains("is taken (setting", StringComparison.Ordinal))
            {
                // A port that was free when it was chosen belongs to some other program of the machine by now: others
                // are chosen.
            }
        }
    }

    /// <summary>Starts a host with these variables in its environment and waits for its ready line.</summary>
    public static Task<HostProcess> StartAsync(
        IReadOnlyDictionary<string, string> environment,
        params string[] settings
    ) => StartedAsync(Launch(0, 0, settings, environment));

    /// <summary>Starts a host and does not wait.</summary>
    public static HostProcess Begin(params string[] settings) => Launch(0, 0, settings);

    private static Task<HostProcess> StartOnceAsync(int memcachedPort, int httpPort, string[] settings) =>
        StartedAsync(Launch(memcachedPort, httpPort, settings));

    private static async Task<HostProcess> StartedAsync(HostProcess host)
    {
        Task ended = host._process.WaitForExitAsync();
        Task first = await Task.WhenAny(host._ready.Task, ended, Task.Delay(Patience));
        if (first != host._ready.Task)
        {
            string output = host.Output;
            await host.DisposeAsync();
            throw new InvalidOperationException($"The host did not get ready. It printed:\n{output}");
        }

        return host;
    }

    /// <summary>Starts a host that is expected to end by itself; returns its exit code and what it printed.</summary>
    public static async Task<(int ExitCode, string Output)> RunToEndAsync(
        int memcachedPort,
        int httpPort,
        params string[] settings
    )
    {
        await using HostProcess host = Launch(memcachedPort, httpPort, settings);
        await host._process.WaitForExitAsync().WaitAsync(Patience);
        return (host._process.ExitCode, host.Output);
    }

    /// <summary>The first of this many consecutive ports that are free now. No other run of these tests gets them, and
    /// no other test of this one before all the others have been given out.</summary>
    public static int FreePorts(int count) => Ports.Next(count);

    public Task<Socket> ConnectAsync(int rank) => ConnectToAsync(MemcachedPort + rank);

    public static async Task<Socket> ConnectToAsync(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(IPAddress.Loopback, port);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public void Signal(PosixSignalNumber signal) => Send(_process.Id, signal);

    /// <summary>Sends a signal to a process that the test started.</summary>
    public static void Send(int process, PosixSignalNumber signal) => Kill(process, (int)signal);

    /// <summary>Sends a signal and waits for the end. Returns exit code and time.</summary>
    public async Task<(int ExitCode, TimeSpan Took)> EndAsync(PosixSignalNumber signal)
    {
        long begin = Stopwatch.GetTimestamp();
        Signal(signal);
        await _process.WaitForExitAsync().WaitAsync(Patience);
        return (_process.ExitCode, Stopwatch.GetElapsedTime(begin));
    }

    public async Task WaitForEndAsync() => await _process.WaitForExitAsync().WaitAsync(Patience);

    public async ValueTask DisposeAsync()
    {
        Http.Dispose();
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync();
        }

        _process.Dispose();
    }

    private static HostProcess Launch(
        int memcachedPort,
        int httpPort,
        string[] settings,
        IReadOnlyDictionary<string, string>? environment = null
    )
    {
        memcachedPort = memcachedPort > 0 ? memcachedPort : FreePorts(27);
        httpPort = httpPort > 0 ? httpPort : FreePorts(27);
        string file = BuiltPrograms.Find("CamCube.Host");
        bool reset = IsInterruptIgnored();
        var start = new ProcessStartInfo(reset ? "env" : "dotnet")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = Path.GetDirectoryName(file),
        };
        if (reset)
        {
            // Tests that run in the background of a script inherit an ignored SIGINT, and so would the host.
            start.ArgumentList.Add("--default-signal=INT");
            start.ArgumentList.Add("dotnet");
        }

        start.ArgumentList.Add(file);
        start.ArgumentList.Add($"--CamCube:FrontEnds:memcached:Port={memcachedPort}");
        start.ArgumentList.Add($"--CamCube:Http:Port={httpPort}");
        foreach (string setting in settings)
        {
            start.ArgumentList.Add(setting);
        }

        foreach ((string name, string value) in environment ?? new Dictionary<string, string>())
        {
            start.Environment[name] = value;
        }

        var process = new Process { StartInfo = start };
        var host = new HostProcess(process, memcachedPort, httpPort);
        process.OutputDataReceived += host.OnLine;
        process.ErrorDataReceived += host.OnLine;
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return host;
    }

    private static bool IsInterruptIgnored()
    {
        const string Status = "/proc/self/status";
        if (!File.Exists(Status))
        {
            return false;
        }

        string line = File.ReadLines(Status).First(l => l.StartsWith("SigIgn:", StringComparison.Ordinal));
        ulong ignored = Convert.ToUInt64(line["SigIgn:".Length..].Trim(), 16);
        return (ignored >> ((int)PosixSignalNumber.Interrupt - 1) & 1) != 0;
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int process, int signal);

    private void OnLine(object sender, DataReceivedEventArgs line)
    {
        lock (_output)
        {
            _output.AppendLine(line.Data);
        }

        if (line.Data?.StartsWith("CamCube ready", StringComparison.Ordinal) == true)
        {
            _ready.TrySetResult();
        }
    }
}
