using System.Diagnostics;
using System.Net.Sockets;
using CamCube.SystemTests.Cables;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Memcached;

/// <summary>A server that root starts and that becomes another user: what it makes in the file system is that
/// user's.</summary>
public sealed class OtherUserTests : IDisposable
{
    private const UnixFileMode All = (UnixFileMode)0b111_111_111;
    private const UnixFileMode Roots = (UnixFileMode)0b111_101_101;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-user").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_Unix_socket_is_the_users_and_goes_at_the_end_if_that_may_be(bool isTakenAway)
    {
        NeedsRoot();
        string path = Path.Combine(_folder, "socket");
        SetMode(All);
        using Process server = Start("-s", path, "-u", "nobody");
        try
        {
            Task<string> errors = server.StandardError.ReadToEndAsync();
            await ConnectAsync(server, path);
            Assert.Equal("nobody 700", (await ProgramRun.Must("stat", "-c", "%U %a", path)).Trim());
            if (isTakenAway)
            {
                SetMode(Roots);
            }

            await ProgramRun.Must("kill", "-TERM", $"{server.Id}");
            await server.WaitForExitAsync().WaitAsync(Patience);
            Assert.Equal(0, server.ExitCode);
            Assert.Equal(isTakenAway, File.Exists(path));
            Assert.DoesNotContain("failed", await errors, StringComparison.Ordinal);
        }
        finally
        {
            server.Kill();
        }
    }

    [Fact]
    public async Task A_process_id_file_that_cannot_be_written_is_a_warning()
    {
        NeedsRoot();
        SetMode(Roots);
        int port = HostProcess.FreePorts(1);
        string file = Path.Combine(_folder, "pid");
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        ProgramRun run = await ProgramRun.Of(
            dotnet,
            BuiltPrograms.Find("CamCube.Memcached"),
            "-d",
            "-A",
            "-l",
            $"127.0.0.1:{port}",
            "-u",
            "nobody",
            "-P",
            file
        );
        Assert.Equal(0, run.ExitCode);
        Assert.StartsWith($"Could not open the pid file {file} for writing: ", run.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(file));
        using MemcachedClient client = await MemcachedClient.ConnectAsync(port);
        await Assert.ThrowsAnyAsync<IOException>(() => client.SendAsync("shutdown\r\n"));
    }

    [Fact]
    public async Task A_process_id_file_that_cannot_be_deleted_stays_and_the_program_ends()
    {
        NeedsRoot();
        SetMode(All);
        int port = HostProcess.FreePorts(1);
        string file = Path.Combine(_folder, "pid");
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        ProgramRun run = await ProgramRun.Of(
            dotnet,
            BuiltPrograms.Find("CamCube.Memcached"),
            "-d",
            "-A",
            "-l",
            $"127.0.0.1:{port}",
            "-u",
            "nobody",
            "-P",
            file
        );
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        using Process server = Process.GetProcessById(int.Parse(File.ReadAllText(file)));
        SetMode(Roots);
        await ProgramRun.Must("kill", "-TERM", $"{server.Id}");
        await server.WaitForExitAsync().WaitAsync(Patience);
        Assert.True(File.Exists(file));
    }

    private static void NeedsRoot() =>
        RequireAll.Check(
            OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess ? null : "only root becomes another user"
        );

    private static Process Start(params string[] arguments)
    {
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        return Process.Start(
            new ProcessStartInfo(dotnet, [BuiltPrograms.Find("CamCube.Memcached"), .. arguments])
            {
                RedirectStandardError = true,
            }
        )!;
    }

    private static async Task ConnectAsync(Process server, string path)
    {
        long began = Stopwatch.GetTimestamp();
        while (true)
        {
            using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            try
            {
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(path));
                return;
            }
            catch (SocketException) when (!server.HasExited && Stopwatch.GetElapsedTime(began) < Patience)
            {
                await Task.Yield();
            }
        }
    }

    private void SetMode(UnixFileMode mode)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(_folder, mode);
        }
    }
}
