using System.Diagnostics;
using CamCube.SystemTests.CommandLine;

namespace CamCube.SystemTests.Hosts;

/// <summary>Programs in Python that take part in collective operations of a real host, and those that behave
/// badly.</summary>
public sealed class CollectivesSocketTests : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    // What every script begins with.
    private const string Common = """
        import array, os, signal, socket, struct, sys, threading, time
        sys.path.insert(0, sys.argv[1])
        from camcube_collectives import Group, CollectiveError
        def path(rank): return f"{sys.argv[2]}/camcube-collectives-{rank}.sock"
        def together(name, ranks, act):
            results = [None] * len(ranks)
            def run(at):
                with Group(name, path(ranks[at]), members=ranks) as group:
                    assert (group.rank, group.size) == (at, len(ranks))
                    results[at] = act(group)
            threads = [threading.Thread(target=run, args=(at,)) for at in range(len(ranks))]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            return results
        def total(group):
            vector = array.array("i", [group.rank, 10 * group.rank, 1])
            group.allreduce(vector)
            return list(vector)

        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-collectives-");
    private HostProcess _host = null!;

    public async ValueTask InitializeAsync() =>
        _host = await HostProcess.StartAsync(
            0,
            0,
            "--Services:collectives:Enabled=true",
            "--FrontEnds:collectives:Enabled=true",
            $"--FrontEnds:collectives:Folder={_folder.FullName}",
            "--FrontEnds:collectives:MessageTime=2s",
            "--FrontEnds:collectives:MaxBytes=16MiB",
            "--Liveness:DetectionTime=1s"
        );

    public async ValueTask DisposeAsync()
    {
        await _host.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Programs_do_all_operations_with_buffers_of_any_kind()
    {
        string output = await RunAsync(
            """
            def all_of_them(group):
                n, r = group.size, group.rank
                vector = array.array("f", [r + 1, 0.5]) * 50_000
                group.allreduce(vector)
                assert vector == array.array("f", [6, 1.5]) * 50_000, vector[:4]
                vector = array.array("q", [r])
                group.reduce(vector, root=1, operator="max")
                assert r != 1 or vector[0] == 2
                raw = bytearray([r] * 10)
                group.broadcast(raw, root=2)
                assert raw == bytearray([2] * 10)
                raw = bytearray([r] * n)
                group.allgather(raw)
                assert raw == bytearray(range(n))
                vector = array.array("h", [1, 2, 4])
                group.reducescatter(vector, operator="sum")
                assert vector[r] == n * (1, 2, 4)[r]
                raw = bytearray([0x80, 0x3F] * 8)
                group.allreduce(raw, type="bfloat16")
                assert raw == bytearray([0x40, 0x40] * 8)
                group.barrier()
                group.allreduce(array.array("d"))
                try:
                    group.allreduce(array.array("f", [1]), operator="xor")
                except CollectiveError as error:
                    assert error.status == "invalid", error
                else:
                    assert False
                return True
            assert together("all", [0, 13, 26], all_of_them) == [True] * 3
            assert together("again", [3, 4], total) == [[1, 10, 2]] * 2
            assert oct(os.stat(path(7)).st_mode & 0o777) == "0o600"
            print("fine")
            """
        );
        Assert.Equal("fine\n", output);
        await AssertNoGroupAsync();
    }

    [Fact]
    public async Task A_program_that_is_killed_is_a_lost_member()
    {
        string output = await RunAsync(
            """
            child = os.fork()
            if child == 0:
                group = Group("killed", path(13), members=[0, 13, 26])
                group.barrier()
                time.sleep(1000)
            def other(rank):
                group = Group("killed", path(rank), members=[0, 13, 26])
                group.barrier()
                if rank == 0: os.kill(child, signal.SIGKILL)
                try:
                    group.allreduce(array.array("f", [1.0]) * 100_000)
                except CollectiveError as error:
                    said.append(str(error))
                group.abandon()
            said = []
            threads = [threading.Thread(target=other, args=(rank,)) for rank in (0, 26)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            assert said == ["member lost: 1,1,1 is lost"] * 2, said
            print("fine")
            """
        );
        Assert.Equal("fine\n", output);
        await AssertNoGroupAsync();
    }

    [Fact]
    public async Task Clients_that_behave_badly_harm_nobody()
    {
        string output = await RunAsync(
            """
            def connect(rank):
                client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                client.connect(path(rank))
                return client
            def message(kind, length=0, offset=0, members=0, name=b""):
                weight = 1 if kind == 16 else 0
                terms = (kind, 6, 1, 0, weight, members, offset, length, name)
                return struct.pack("<IBBBBiiqq64s", 0x314C4343, *terms)
            def answer(client):
                got = b""
                while len(got) < 256:
                    more = client.recv(256 - len(got))
                    if not more: return None, None
                    got += more
                return got[0], got[16:16 + struct.unpack("<H", got[2:4])[0]].decode()
            def passing(client, data, *files):
                client.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))])
                return answer(client)
            def opened(name):
                client = connect(5)
                client.sendall(message(16, members=1, name=name) + struct.pack("<i", 5))
                assert answer(client)[0] == 0
                return client

            # No message, and a half one.
            client = connect(5)
            client.sendall(b"x" * 96)
            assert answer(client) == (32, "this is no message")
            assert client.recv(1) == b""
            half = connect(5)
            half.sendall(message(16)[:50])
            assert half.recv(1) == b""
            huge = connect(5)
            huge.sendall(message(16, members=2_000_000_000, name=b"huge"))
            assert answer(huge)[0] == 32
            early = connect(5)
            early.sendall(message(1))
            assert answer(early) == (32, "no group is open")

            # No descriptor; shorter than said; no file; two at once; too much. The group goes on.
            client = opened(b"bad")
            client.sendall(message(2, length=8))
            assert answer(client) == (5, "no descriptor was passed with it")
            file = os.memfd_create("short")
            os.ftruncate(file, 100)
            assert passing(client, message(2, length=104), file)[0] == 5
            assert passing(client, message(2, length=8, offset=2**62), file)[0] == 5
            assert passing(client, message(2, length=2**62), file)[0] == 5
            assert passing(client, message(2, length=17 << 20), file)[0] == 5
            reader, writer = os.pipe()
            assert passing(client, message(2, length=8), reader)[0] == 5
            assert passing(client, message(2, length=8), os.open("/", os.O_RDONLY))[0] == 5
            assert passing(client, message(2, length=8), file, reader, writer)[0] == 0
            assert passing(client, message(2, length=6), file)[0] == 5
            client.sendall(message(17))
            assert answer(client)[0] == 0

            # One that is cut while it is used.
            client = opened(b"cut")
            ends = []
            def cut():
                while not ends:
                    os.ftruncate(file, 0)
                    os.ftruncate(file, 4 << 20)
            cutting = threading.Thread(target=cut)
            cutting.start()
            seen = {passing(client, message(2, length=4 << 20), file)[0] for _ in range(100)}
            ends.append(1)
            cutting.join()
            assert seen <= {0, 5}, seen

            # A thousand at once, each with its own mischief; those beyond MaxConnections are closed.
            crowd = []
            for number in range(1000):
                try:
                    client = connect(5)
                    client.settimeout(20)
                    crowd.append(client)
                    if number % 4 == 0: client.sendall(message(16)[: number % 96])
                    elif number % 4 == 1: client.sendall(os.urandom(200))
                    elif number % 4 == 2:
                        many = array.array("i", [file] * 200)
                        client.sendmsg([b"C"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, many)])
                    else: client.sendall(message(16, name=b"crowd%d" % number))
                except OSError:
                    pass
            for client in crowd: client.close()

            # Once the server has seen that they have gone. Of a group a member whom it still sends away leaves the
            # others waiting.
            end = time.time() + 20
            while True:
                try:
                    probe = connect(5)
                    probe.settimeout(20)
                    probe.sendall(message(16, members=1, name=b"probe") + struct.pack("<i", 5))
                    if answer(probe)[0] == 0: break
                except OSError:
                    pass
                assert time.time() < end
                time.sleep(0.2)
            probe.close()
            assert together("after", [5, 6], total) == [[1, 10, 2]] * 2
            print("fine")
            """
        );
        Assert.Equal("fine\n", output);
        Assert.False(_host.HasEnded, _host.Output);
        int left = Directory
            .GetFiles($"/proc/{_host.ProcessId}/fd")
            .Count(static file =>
                new FileInfo(file).LinkTarget?.Contains("memfd:short", StringComparison.Ordinal) == true
            );
        Assert.Equal(0, left);
    }

    private async Task<string> RunAsync(string script)
    {
        string module = Path.Combine(ArchitectureTests.RepositoryRoot(), "tools", "python");
        var start = new ProcessStartInfo("python3", ["-B", "-c", Common + script, module, _folder.FullName])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync(),
            error = process.StandardError.ReadToEndAsync();
        try
        {
            await process.WaitForExitAsync().WaitAsync(Patience);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{await output}{await error}{_host.Output}");
        }

        Assert.True(process.ExitCode == 0, await error);
        return await output;
    }

    private async Task AssertNoGroupAsync()
    {
        ToolRun run = await ToolRun.Of("collective", "groups", "--host", $"http://127.0.0.1:{_host.HttpPort}");
        Assert.Equal("No group is open.\n", run.Output);
    }
}
