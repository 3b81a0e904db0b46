using System.Diagnostics;
using System.Net.Sockets;

namespace CamCube.Services.Cache.Memcached.Tests.Differential;

/// <summary>A memcached of the operating system on a socket in a folder of its own, as long as the object
/// lives.</summary>
internal sealed class MemcachedProcess : IDisposable
{
    private const string Program = "memcached";
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-memcached-");
    private readonly Process _process;

    private MemcachedProcess()
    {
        var start = new ProcessStartInfo(Program) { RedirectStandardError = true };
        string[] arguments = ["-s", SocketPath, "-u", Environment.UserName, "-m", "64", "-t", "1", "-vv"];
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        _process = Process.Start(start)!;
    }

    private string SocketPath => Path.Combine(_folder.FullName, "socket");

    /// <summary>
    /// Starts one. Where it is not installed, or not the version that is compared with, the test is skipped, and with
    /// <c>CAMCUBE_REQUIRE_ALL=1</c> it fails.
    /// </summary>
    public static async Task<MemcachedProcess> StartAsync()
    {
        const string Version = "memcached 1.6.18";
        string found = await AskVersionAsync();
        if (found != Version)
        {
            string reason = $"needs {Version} in PATH, found '{found}'";
            Assert.False(Environment.GetEnvironmentVariable("CAMCUBE_REQUIRE_ALL") == "1", reason);
            Assert.Skip(reason);
        }

        var memcached = new MemcachedProcess();
        await memcached.WaitUntilListeningAsync();
        return memcached;
    }

    public async Task<BytePeer> ConnectAsync()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await socket.ConnectAsync(new UnixDomainSocketEndPoint(SocketPath)).WaitAsync(TimeOut);
        return new BytePeer(socket, "memcached");
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
        _folder.Delete(recursive: true);
    }

    private static async Task<string> AskVersionAsync()
    {
        try
        {
            var start = new ProcessStartInfo(Program, "-V") { RedirectStandardOutput = true };
            using Process process = Process.Start(start)!;
            return (await process.StandardOutput.ReadToEndAsync().WaitAsync(TimeOut)).Trim();
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return "nothing";
        }
    }

    private async Task WaitUntilListeningAsync()
    {
        var listening = new TaskCompletionSource();
        _process.ErrorDataReceived += (_, line) =>
        {
            if (line.Data?.Contains("server listening", StringComparison.Ordinal) == true)
            {
                listening.TrySetResult();
            }
            else if (line.Data is null)
            {
                listening.TrySetException(new IOException("memcached ended before it listened."));
            }
        };
        _process.BeginErrorReadLine();
        await listening.Task.WaitAsync(TimeOut);
        using BytePeer peer = await ConnectAsync();
        await peer.SendAsync("verbosity 0\r\n"u8.ToArray());
        await peer.ReceiveUntilAsync(bytes => bytes.EndsWith("OK\r\n"u8));
    }
}
