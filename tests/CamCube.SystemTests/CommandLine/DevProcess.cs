using System.Diagnostics;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary>A <c>camcube dev</c> that runs on a project in a folder of its own.</summary>
internal sealed class DevProcess : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);
    private readonly Process _process;
    private readonly List<string> _lines = [];
    private readonly List<string> _results = [];
    private readonly SemaphoreSlim _news = new(0);
    private int _read;

    private DevProcess(Process process) => _process = process;

    /// <summary>Everything it printed.</summary>
    public string Output
    {
        get
        {
            lock (_lines)
            {
                return string.Join('\n', _lines);
            }
        }
    }

    /// <summary>What it printed on standard output.</summary>
    public string[] Results
    {
        get
        {
            lock (_lines)
            {
                return [.. _results];
            }
        }
    }

    /// <summary>Starts it in a folder.</summary>
    public static DevProcess Start(string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [BuiltPrograms.Find("camcube"), "dev", .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        start.Environment.Remove("CAMCUBE_HOST");
        var dev = new DevProcess(new Process { StartInfo = start });
        dev._process.OutputDataReceived += (_, e) => dev.Add(e.Data, isResult: true);
        dev._process.ErrorDataReceived += (_, e) => dev.Add(e.Data);
        dev._process.Start();
        dev._process.BeginOutputReadLine();
        dev._process.BeginErrorReadLine();
        return dev;
    }

    /// <summary>The next line with a text, behind those that were read.</summary>
    public async Task<string> LineAsync(string text)
    {
        using CancellationTokenSource late = new(Patience);
        try
        {
            while (true)
            {
                lock (_lines)
                {
                    while (_read < _lines.Count)
                    {
                        string line = _lines[_read++];
                        if (line.Contains(text, StringComparison.Ordinal))
                        {
                            return line;
                        }
                    }
                }

                await _news.WaitAsync(late.Token);
            }
        }
        catch (OperationCanceledException)
        {
            throw new TimeoutException($"No '{text}' within {Patience}. It printed:\n{Output}");
        }
    }

    /// <summary>Ends it as a service manager does; its exit code.</summary>
    public Task<int> StopAsync()
    {
        HostProcess.Send(_process.Id, PosixSignalNumber.Terminate);
        return EndAsync();
    }

    /// <summary>Waits for its end; its exit code.</summary>
    public async Task<int> EndAsync()
    {
        await _process.WaitForExitAsync().WaitAsync(Patience);
        return _process.ExitCode;
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync();
        }

        _process.Dispose();
        _news.Dispose();
    }

    private void Add(string? line, bool isResult = false)
    {
        if (line is not null)
        {
            lock (_lines)
            {
                _lines.Add(line);
                if (isResult)
                {
                    _results.Add(line);
                }
            }

            _news.Release();
        }
    }
}
