using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Experiments.Cables;

/// <summary>
/// A server in C that sends by TCP as fast as the kernel takes it, on the cable of <see cref="SocketPings"/>, with the
/// kernel's offloads off: on a cable between two machines each frame is one, too. One thread.
/// </summary>
internal sealed class SocketServer
{
    private const int Port = 7_778;
    private readonly SocketPings _sockets;
    private readonly string _program;

    private SocketServer(SocketPings sockets, string program)
    {
        (_sockets, _program) = (sockets, program);
        for (int rank = 0; rank < 2; rank++)
        {
            Programs.Run("ip", Inside(rank, "offloads", sockets.InterfaceOf(rank), "0"));
        }
    }

    /// <summary>Compiles it. Null: there is no C compiler here.</summary>
    public static SocketServer? TryMake(SocketPings sockets) =>
        NativeProgram.Compile("streams.c", "cc", "-O3") is { } program ? new SocketServer(sockets, program) : null;

    /// <summary>Sends from the second end to the first. Answers bytes sent, and CPU seconds of who sent them.</summary>
    public (double Bytes, double CpuSeconds) Send(double seconds)
    {
        string time = seconds.ToString(CultureInfo.InvariantCulture),
            port = Port.ToString(CultureInfo.InvariantCulture);
        using Process receiver = Start(0, "receive", port, "0", time);
        if (receiver.StandardOutput.ReadLine() != "ready")
        {
            throw new ExperimentException("the C program that receives by TCP does not start");
        }

        using Process sender = Start(1, "send", $"{_sockets.Here}", port, time);
        using JsonDocument sent = JsonDocument.Parse(sender.StandardOutput.ReadToEnd());
        receiver.StandardOutput.ReadToEnd();
        sender.WaitForExit();
        receiver.WaitForExit();
        JsonElement answer = sent.RootElement;
        return (answer.GetProperty("bytes").GetDouble(), answer.GetProperty("cpuSeconds").GetDouble());
    }

    private Process Start(int rank, params string[] arguments)
    {
        Process process = Programs.Start(
            new ProcessStartInfo("ip", Inside(rank, arguments)) { RedirectStandardOutput = true }
        );
        Processors.TieProcess(process.Id, rank);
        return process;
    }

    private string[] Inside(int rank, params string[] arguments) =>
        ["netns", "exec", _sockets.NameOf(rank), _program, .. arguments];
}
