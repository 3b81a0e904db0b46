using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Speed;

/// <summary>The native yardstick as a process that goes on by slices, so that it takes turns with the simulator. One
/// thread owns it.</summary>
internal sealed class Yardstick : IDisposable
{
    private readonly Process _process;

    private Yardstick(Process process) => _process = process;

    /// <summary>Compiles it; null: there is no compiler, or it refuses.</summary>
    public static string? Compile() => NativeProgram.Compile("yardstick.cpp", "g++", "-O3", "-march=native");

    /// <summary>Starts it and has it warm up.</summary>
    /// <param name="program">What <see cref="Compile"/> answered.</param>
    /// <param name="axis">Servers per axis.</param>
    /// <param name="load">Part of what the cables carry.</param>
    /// <param name="warmMillis">Virtual milliseconds before the first slice.</param>
    public static Yardstick Start(string program, int axis, double load, double warmMillis)
    {
        var start = new ProcessStartInfo(program, [Text(axis), Text(load), Text(warmMillis)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        Process process = Process.Start(start)!;
        if (OperatingSystem.IsLinux())
        {
            process.ProcessorAffinity &= -process.ProcessorAffinity;
        }

        return new Yardstick(process);
    }

    /// <summary>Goes on, and answers packet hops per second of processor time.</summary>
    /// <param name="millis">Virtual milliseconds.</param>
    public double Slice(double millis)
    {
        _process.StandardInput.WriteLine(Text(millis));
        _process.StandardInput.Flush();
        string line = _process.StandardOutput.ReadLine() ?? throw new InvalidOperationException("the yardstick ended");
        using JsonDocument answer = JsonDocument.Parse(line);
        return answer.RootElement.GetProperty("hopsPerCpuSecond").GetDouble();
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }

    private static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);
}
