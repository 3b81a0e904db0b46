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

    public void AwaitLinks(int count)
    {
        for (int i = 0; Ask("links") != count.ToString(CultureInfo.InvariantCulture); i++)
        {
            if (i > 1_000)
            {
                throw new InvalidOperationException("the links do not come up");
            }

            Thread.Sleep(20);
        }
    }

    public CableCount Count()
    {
        double[] n = [.. Ask("count").Split(' ').Select(t => double.Parse(t, CultureInfo.InvariantCulture))];
        return new CableCount((long)n[0], n[2], n[3], (long)n[4]);
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

    private string Read() => _process.StandardOutput.ReadLine() ?? throw new InvalidOperationException("a server ended early");
}
