using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using CamCube.Services.Cache.Memcached.Tests.Tls;
using CamCube.SystemTests.Cables;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Memcached;

/// <summary>A CamCube.Memcached as a process of its own on this machine's loopback; it ends with this object.</summary>
internal sealed class MemcachedProcess : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly Process _process;
    private readonly StringBuilder _output = new();

    private MemcachedProcess(Process process, int port, int plainPort) =>
        (_process, Port, PlainPort) = (process, port, plainPort);

    public int Port { get; }

    /// <summary>A port without TLS, also where the other has it.</summary>
    public int PlainPort { get; }

    /// <summary>Memory of it that is there, in bytes.</summary>
    public long ResidentBytes
    {
        get
        {
            string line = File.ReadLines($"/proc/{_process.Id}/status")
                .First(l => l.StartsWith("VmRSS:", StringComparison.Ordinal));
            return long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2], CultureInfo.InvariantCulture)
                << 10;
        }
    }

    /// <summary>The descriptors that it has open.</summary>
    public int[] Descriptors =>
        [
            .. Directory
                .GetFileSystemEntries($"/proc/{_process.Id}/fd")
                .Select(one => int.Parse(Path.GetFileName(one), CultureInfo.InvariantCulture)),
        ];

    /// <summary>Starts one and waits until it serves.</summary>
    /// <param name="certificates">For TLS at the first port; null: none at either.</param>
    /// <param name="arguments">Further arguments.</param>
    public static async Task<MemcachedProcess> StartAsync(TestCertificates? certificates, params string[] arguments)
    {
        int port = HostProcess.FreePorts(2);
        string plain = certificates is null ? $"127.0.0.1:{port + 1}" : $"notls:127.0.0.1:{port + 1}";
        string[] tls = certificates is null
            ? []
            : ["-Z", "-o", $"ssl_chain_cert={certificates.CertificateFile},ssl_key={certificates.KeyFile}"];
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        var start = new ProcessStartInfo(
            dotnet,
            [
                BuiltPrograms.Find("CamCube.Memcached"),
                "-l",
                $"127.0.0.1:{port},{plain}",
                "-u",
                Environment.UserName,
                .. tls,
                .. arguments,
            ]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var server = new MemcachedProcess(new Process { StartInfo = start }, port, port + 1);
        server._process.OutputDataReceived += server.OnLine;
        server._process.ErrorDataReceived += server.OnLine;
        server._process.Start();
        server._process.BeginOutputReadLine();
        server._process.BeginErrorReadLine();
        long began = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                using Socket probe = await HostProcess.ConnectToAsync(server.PlainPort);
                int serving = await ProcessOfAsync(probe);
                Assert.True(
                    serving == server._process.Id,
                    $"Port {server.PlainPort} is process {serving}'s, which is not ours: {server._output}"
                );
                return server;
            }
            catch (SocketException) when (!server._process.HasExited && Stopwatch.GetElapsedTime(began) < Patience)
            {
                await Task.Yield();
            }
            catch (SocketException error)
            {
                await server.DisposeAsync();
                throw new InvalidOperationException($"CamCube.Memcached did not serve: {server._output}", error);
            }
        }
    }

    /// <summary>Sets the limit of its descriptors as an administrator would: nobody tells it.</summary>
    public Task LimitDescriptorsAsync(int limit) =>
        ProgramRun.Must("prlimit", "--pid", $"{_process.Id}", $"--nofile={limit}:");

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            await _process.WaitForExitAsync();
        }

        _process.Dispose();
    }

    private static async Task<int> ProcessOfAsync(Socket memcached)
    {
        await using var stream = new NetworkStream(memcached);
        await stream.WriteAsync("stats\r\n"u8.ToArray());
        using var reader = new StreamReader(stream, Encoding.ASCII);
        const string Line = "STAT pid ";
        string? line;
        do
        {
            line = await reader.ReadLineAsync().WaitAsync(Patience);
        } while (line is not null && !line.StartsWith(Line, StringComparison.Ordinal));
        return line is null
            ? throw new InvalidOperationException("The connection ended before the statistics.")
            : int.Parse(line[Line.Length..], CultureInfo.InvariantCulture);
    }

    private void OnLine(object sender, DataReceivedEventArgs line)
    {
        lock (_output)
        {
            _output.AppendLine(line.Data);
        }
    }
}
