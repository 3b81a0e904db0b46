using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using CamCube.SystemTests.Cables;

namespace CamCube.SystemTests.Hosts;

/// <summary>The sample service with a front end of its own, loaded by the host from outside of the solution's
/// friendship.</summary>
public sealed class EchoTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Lines_come_back_with_their_numbers()
    {
        RequireAll.Program("nc");
        int port = HostProcess.FreePorts(27);
        await using HostProcess host = await StartAsync(port);
        Assert.Contains($"echo 127.0.0.1:{port}-{port + 26}", host.Output);
        Assert.Equal("1: hello\n2: world\n", await NetcatAsync(port, "hello\nworld\n"));
        Assert.Equal("3: again\n", await NetcatAsync(port, "again\n"));
        Assert.Equal("1: another server\n", await NetcatAsync(port + 26, "another server\n"));
        (int exitCode, _) = await host.EndAsync(PosixSignalNumber.Terminate);
        Assert.Equal(0, exitCode);
    }

    [Fact]
    public async Task Hostile_clients_harm_themselves_only()
    {
        RequireAll.Program("nc");
        int port = HostProcess.FreePorts(27);
        await using HostProcess host = await StartAsync(
            port,
            "--FrontEnds:echo:StallTimeout=1",
            "--FrontEnds:echo:MaxConnections=200"
        );

        // Sends without reading, until nothing more is taken of it and it is closed.
        using Socket deaf = await HostProcess.ConnectToAsync(port);
        byte[] lines = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("never read\n", 4_096)));
        Task flood = FloodAsync(deaf, lines);

        // A line that never ends.
        using Socket endless = await HostProcess.ConnectToAsync(port);
        Task wall = FloodAsync(endless, new byte[64 << 10]);

        // A crowd: more than have a place, each with half a line; then all of them reset at once.
        var crowd = new List<Socket>();
        for (int i = 0; i < 300; i++)
        {
            Socket one = await HostProcess.ConnectToAsync(port);
            one.LingerState = new LingerOption(enable: true, seconds: 0);
            crowd.Add(one);
            try
            {
                await one.SendAsync("half a"u8.ToArray());
            }
            catch (SocketException)
            {
                // It had no place.
            }
        }

        crowd.ForEach(one => one.Dispose());
        await flood.WaitAsync(Patience);
        await wall.WaitAsync(Patience);
        string answer = await NetcatAsync(port, "still here\n");
        Assert.EndsWith(": still here\n", answer, StringComparison.Ordinal);
        Assert.Equal("1: here, too\n", await NetcatAsync(port + 1, "here, too\n"));
        Assert.Contains("A echo connection failed and was closed: tcp:127.0.0.1:", host.Output);
        Assert.DoesNotContain("faulted", host.Output);
        (int exitCode, _) = await host.EndAsync(PosixSignalNumber.Terminate);
        Assert.Equal(0, exitCode);
    }

    private static Task<HostProcess> StartAsync(int port, params string[] settings) =>
        HostProcess.StartAsync(
            0,
            0,
            [$"--Services:echo:Assembly={BuiltPrograms.Find("Echo")}", $"--FrontEnds:echo:Port={port}", .. settings]
        );

    // Ends when the other side has closed the connection.
    private static async Task FloodAsync(Socket socket, byte[] bytes)
    {
        try
        {
            while (true)
            {
                await socket.SendAsync(bytes);
            }
        }
        catch (SocketException)
        {
            // That was to be.
        }
    }

    private static async Task<string> NetcatAsync(int port, string input)
    {
        using var netcat = new Process
        {
            StartInfo = new ProcessStartInfo("nc", ["-N", "127.0.0.1", $"{port}"])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
            },
        };
        netcat.Start();
        await netcat.StandardInput.WriteAsync(input);
        netcat.StandardInput.Close();
        string output = await netcat.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        await netcat.WaitForExitAsync().WaitAsync(Patience);
        return output;
    }
}
