using System.Net.Sockets;
using System.Text;

namespace CamCube.Memcached.Tests;

public sealed class MemcachedProgramTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly string _socket = Path.Combine(Path.GetTempPath(), $"camcube-memcached-{Guid.NewGuid():N}.sock");
    private readonly CancellationTokenSource _stop = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _errors = new();

    public void Dispose() => _stop.Dispose();

    [Fact]
    public async Task It_serves_a_Unix_socket_until_it_is_stopped_and_takes_the_file_away()
    {
        Task<int> running = RunAsync("-s", _socket, "-u", Environment.UserName);
        Assert.Equal(
            "STORED\r\nVALUE a 0 1\r\nx\r\nEND\r\n",
            await AskAsync(running, "set a 0 0 1\r\nx\r\nget a\r\nquit\r\n")
        );
        await _stop.CancelAsync();
        Assert.Equal(0, await running.WaitAsync(Patience));
        Assert.False(File.Exists(_socket));
        Assert.Equal("", _errors.ToString());
    }

    [Fact]
    public async Task A_socket_file_that_a_killed_server_left_is_taken_over_and_one_in_use_is_not()
    {
        using (var left = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            left.Bind(new UnixDomainSocketEndPoint(_socket));
        }

        Task<int> running = RunAsync("-s", _socket, "-u", Environment.UserName);
        Assert.Equal("END\r\n", await AskAsync(running, "get a\r\nquit\r\n"));
        Assert.Equal(
            MemcachedProgram.Refused,
            await RunAsync("-s", _socket, "-u", Environment.UserName).WaitAsync(Patience)
        );
        Assert.Equal(
            $"failed to listen: the Unix socket {_socket} is taken by another process\n",
            _errors.ToString().ReplaceLineEndings("\n")
        );
        await _stop.CancelAsync();
        await running.WaitAsync(Patience);
    }

    [Fact]
    public async Task Flags_are_what_stats_settings_tells()
    {
        Task<int> running = RunAsync(
            "-s",
            _socket,
            "-u",
            Environment.UserName,
            "-A",
            "-F",
            "-C",
            "-M",
            "-X",
            "-B",
            "ascii",
            "-D",
            "/",
            "-m",
            "16",
            "-R",
            "7",
            "-v"
        );
        string settings = await AskAsync(
            running,
            "verbosity 2\r\nstats settings\r\nflush_all\r\nstats cachedump 1 1\r\nshutdown\r\n"
        );
        foreach (
            string line in new[]
            {
                "maxbytes 16777216",
                "evictions off",
                "shutdown_command yes",
                "stat_key_prefix /",
                "detail_enabled yes",
                "reqs_per_event 7",
                "cas_enabled no",
                "binding_protocol ascii",
                "flush_enabled no",
                "dump_enabled no",
                "verbosity 2",
                $"domain_socket {_socket}",
            }
        )
        {
            Assert.Contains($"STAT {line}\r\n", settings, StringComparison.Ordinal);
        }

        Assert.EndsWith(
            "END\r\nCLIENT_ERROR flush_all not allowed\r\nCLIENT_ERROR stats cachedump not allowed\r\n",
            settings,
            StringComparison.Ordinal
        );
        Assert.Equal(0, await running.WaitAsync(Patience));
    }

    [Fact]
    public async Task Without_flags_clients_may_list_keys_and_flush_but_not_end_the_program()
    {
        Task<int> running = RunAsync("-s", _socket, "-u", Environment.UserName);
        Assert.Equal(
            "STORED\r\nITEM a [1 b; 0 s]\r\nEND\r\nOK\r\nERROR: shutdown not enabled\r\n",
            await AskAsync(running, "set a 0 0 1\r\nx\r\nstats cachedump 1 10\r\nflush_all\r\nshutdown\r\nquit\r\n")
        );
        await _stop.CancelAsync();
        Assert.Equal(0, await running.WaitAsync(Patience));
    }

    [Fact]
    public async Task An_authentication_file_is_followed_and_one_that_is_wrong_ends_the_start()
    {
        string users = _socket + ".users";
        try
        {
            await File.WriteAllTextAsync(users, "foo:bar\n");
            Task<int> running = RunAsync("-s", _socket, "-u", Environment.UserName, "-Y", users);
            Assert.Equal(
                "CLIENT_ERROR unauthenticated\r\nSTORED\r\nEND\r\n",
                await AskAsync(running, "get a\r\nset x 0 0 7\r\nfoo bar\r\nget a\r\nquit\r\n")
            );
            await _stop.CancelAsync();
            Assert.Equal(0, await running.WaitAsync(Patience));

            await File.WriteAllTextAsync(users, "foo\n");
            Assert.Equal(
                MemcachedProgram.Refused,
                await MemcachedProgram
                    .RunAsync(["-s", _socket, "-u", Environment.UserName, "-Y", users], _output, _errors, default)
                    .WaitAsync(Patience)
            );
            Assert.Contains("has a line that is not user:password", _errors.ToString(), StringComparison.Ordinal);
            Assert.Equal(
                MemcachedProgram.Usage,
                await RunAsync("-Y", users, "-B", "binary", "-u", Environment.UserName).WaitAsync(Patience)
            );
        }
        finally
        {
            File.Delete(users);
        }
    }

    [Fact]
    public async Task Wrong_usage_is_told_with_memcacheds_exit_code()
    {
        Assert.Equal(MemcachedProgram.Usage, await RunAsync("-U", "5").WaitAsync(Patience));
        Assert.Equal(
            MemcachedProgram.Usage,
            await RunAsync("-m", "2", "-I", "2m", "-u", Environment.UserName).WaitAsync(Patience)
        );
        Assert.Contains(
            "Cannot set item size limit higher than 1/2 of memory max.",
            _errors.ToString(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Help_and_version_are_printed()
    {
        Assert.Equal(0, await RunAsync("-V"));
        Assert.Equal(MemcachedHelp.Version + Environment.NewLine, _output.ToString());
        Assert.Equal(0, await RunAsync("-h"));
        Assert.Contains("--memory-limit", _output.ToString(), StringComparison.Ordinal);
    }

    private Task<int> RunAsync(params string[] arguments) =>
        Task.Run(() => MemcachedProgram.RunAsync(arguments, _output, _errors, _stop.Token));

    private async Task<string> AskAsync(Task<int> running, string request)
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        for (; ; )
        {
            try
            {
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(_socket)).WaitAsync(Patience);
                break;
            }
            catch (SocketException)
            {
                Assert.False(running.IsCompleted, _errors.ToString());
                await Task.Yield();
            }
        }

        await socket.SendAsync(Encoding.Latin1.GetBytes(request)).WaitAsync(Patience);
        var text = new StringBuilder();
        byte[] buffer = new byte[4096];
        while (await socket.ReceiveAsync(buffer).WaitAsync(Patience) is > 0 and int count)
        {
            text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }

        return text.ToString();
    }
}
