using System.ComponentModel;
using System.Diagnostics;
using CamCube.Testing;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>Debian's memcached (tools/install-test-dependencies).</summary>
public sealed class MemcachedBackend : Backend
{
    private static readonly PortSlice Ports = PortSlice.Take(
        "cache-client-tests",
        first: 32_000,
        slices: 4,
        count: 100
    );
    private Process? _process;

    public override async ValueTask InitializeAsync()
    {
        int port = Ports.Next();
        var start = new ProcessStartInfo("memcached")
        {
            RedirectStandardError = true,
            ArgumentList = { "-l", "127.0.0.1", "-p", $"{port}", "-U", "0", "-u", "nobody", "-vv" },
        };
        try
        {
            _process = Process.Start(start)!;
        }
        catch (Win32Exception)
        {
            Missing = "the program memcached is not there; tools/install-test-dependencies installs it";
            return;
        }

        var listening = new TaskCompletionSource();
        _process.ErrorDataReceived += (_, line) =>
        {
            if (line.Data is null)
            {
                listening.TrySetException(new InvalidOperationException("memcached ended."));
            }
            else if (line.Data.Contains("server listening", StringComparison.Ordinal))
            {
                listening.TrySetResult();
            }
        };
        _process.BeginErrorReadLine();
        await listening.Task.WaitAsync(TimeSpan.FromSeconds(60));
        Addresses = [$"127.0.0.1:{port}"];

        // It was told to talk so that it says when it listens.
        using var raw = new RawClient(Addresses[0]);
        Assert.Equal("OK", raw.Ask("verbosity 0"));
    }

    public override async ValueTask DisposeAsync()
    {
        if (_process is null)
        {
            return;
        }

        _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }
}
