using System.Diagnostics;
using System.Globalization;

namespace CamCube.Benchmarks.Cables;

/// <summary>A server in a process of its own (<see cref="CableNode"/>), asked by lines.</summary>
internal sealed class CableProcess : IDisposable
{
    private readonly Process _process;
    private bool _isReady;

    public CableProcess(Process process) => _process = process;

    public string Ask(string line)
    {
        if (!_isReady)
        {
            _isReady = Read() == "ready" ? true : throw new InvalidOperationException("a server did not start");
        }

        _process.StandardInput.WriteLine(line);
        _process.StandardInput.Flush();
        return Read();
    }

    /// <summary>Waits until so many links are up.</summary>
    public void AwaitLinks(int count) => Await("links", count);

    /// <summary>Waits until it knows a way to so many servers, itself included.</summary>
    public void AwaitServers(int count) => Await("reachable", count);

    public CableCount Count()
    {
        double[] n = [.. Ask("count").Split(' ').Select(t => double.Parse(t, CultureInfo.InvariantCulture))];
        return new CableCount((long)n[0], (long)n[1], n[2], n[3], (long)n[4]);
    }

    public double CpuSeconds() => Count().CpuSeconds;

    public void Dispose()
    {
        _process.StandardInput.WriteLine("end");
        _process.StandardInput.Flush();
        if (!_process.WaitForExit(5_000))
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.Dispose();
    }

    private void Await(string what, int count)
    {
        for (int i = 0; Ask(what) != count.ToString(CultureInfo.InvariantCulture); i++)
        {
            if (i > 1_000)
            {
                throw new InvalidOperationException($"not {count} {what} after 20 s");
            }

            Thread.Sleep(20);
        }
    }

    private string Read() =>
        _process.StandardOutput.ReadLine() ?? throw new InvalidOperationException("a server ended early");
}
