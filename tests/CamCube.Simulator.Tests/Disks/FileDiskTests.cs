using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Simulator.Live;
using CamCube.Testing;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>The disk of real hosts: files below a data folder.</summary>
public sealed class FileDiskTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly string _data = Directory.CreateTempSubdirectory("camcube-disk-").FullName;

    [Fact]
    public async Task Files_are_written_read_renamed_and_deleted_and_every_answer_comes_on_the_loop()
    {
        await using LiveCube cube = await Start(_data);
        Assert.Equal(
            "done",
            await Use(
                cube,
                1,
                static async disk =>
                {
                    int loop = Environment.CurrentManagedThreadId;
                    Assert.True(disk.IsAvailable);
                    Assert.Empty((await disk.ListAsync()).Value!);
                    Assert.Equal(DiskStatus.NotFound, (await disk.OpenAsync("a", create: false)).Status);
                    Assert.Equal(DiskStatus.NotFound, await disk.RenameAsync("a", "b"));
                    Assert.Equal(DiskStatus.NotFound, await disk.DeleteAsync("a"));
                    IDiskFile file = (await disk.OpenAsync("a", create: true)).Value!;
                    Assert.Equal(DiskStatus.Done, await file.WriteAsync(0, new byte[] { 1, 2, 3 }));
                    Assert.Equal(DiskStatus.Done, await file.WriteAsync(5, new byte[] { 6 }));
                    Assert.Equal(DiskStatus.Done, await file.SetLengthAsync(8));
                    Assert.Equal(8, file.Length);
                    Assert.Equal(DiskStatus.Done, await file.SyncAsync());
                    Assert.Equal(DiskStatus.Done, await disk.SyncAsync());
                    byte[] bytes = new byte[20];
                    Assert.Equal(new DiskResult<int>(DiskStatus.Done, 7), await file.ReadAsync(1, bytes));
                    Assert.Equal([2, 3, 0, 0, 6, 0, 0, 0], bytes[..8]);
                    Assert.Equal(new DiskResult<int>(DiskStatus.Done, 0), await file.ReadAsync(100, bytes));
                    IDiskFile other = (await disk.OpenAsync("c.2", create: true)).Value!;
                    Assert.Equal([new("a", 8), new("c.2", 0)], (await disk.ListAsync()).Value!);
                    Assert.Equal(DiskStatus.Done, await disk.RenameAsync("c.2", "a"));
                    Assert.Equal([new("a", 0)], (await disk.ListAsync()).Value!);
                    Assert.Equal(8, file.Length);
                    Assert.Equal(0, other.Length);
                    Assert.Equal(DiskStatus.Done, await disk.DeleteAsync("a"));
                    Assert.Equal(DiskStatus.Done, await other.WriteAsync(0, new byte[] { 9 }));
                    other.Close();
                    Assert.Equal(DiskStatus.Stopped, await other.WriteAsync(0, new byte[] { 9 }));
                    byte[] six = [6];
                    Assert.Equal(DiskStatus.Done, await file.GatherAsync(7, [new byte[] { 4, 5 }, six], sync: true));
                    Assert.Equal(DiskStatus.Done, await file.WriteAsync(10, six, sync: true));
                    Assert.Equal(new DiskResult<int>(DiskStatus.Done, 4), await file.ReadAsync(7, bytes));
                    Assert.Equal([4, 5, 6, 6], bytes[..4]);
                    DiskResult<DiskSpace> space = await disk.GetSpaceAsync();
                    Assert.Equal(DiskStatus.Done, space.Status);
                    Assert.InRange(space.Value.FreeBytes, 1, space.Value.TotalBytes);
                    Assert.Throws<ArgumentException>(() => disk.DeleteAsync("../a"));
                    Assert.Throws<ArgumentOutOfRangeException>(() => file.WriteAsync(-1, default));
                    Assert.Equal(loop, Environment.CurrentManagedThreadId);
                    return "done";
                }
            )
        );
    }

    [Fact]
    public async Task Files_outlive_a_server_and_belong_to_one_server_and_service()
    {
        await using (LiveCube cube = await Start(_data))
        {
            Assert.Equal(DiskStatus.Done, await Use(cube, 0, WriteAsync));
            await cube.StopServerAsync(0);
            await cube.StartServerAsync(0);
            Assert.Equal(7, await Use(cube, 0, ReadAsync));
        }

        await using (LiveCube cube = await Start(_data))
        {
            Assert.Equal(7, await Use(cube, 0, ReadAsync));
            Assert.Equal(-1, await Use(cube, 1, ReadAsync));
        }

        Assert.Equal(
            [7],
            await File.ReadAllBytesAsync(Path.Combine(_data, "0-0-0", "0722", "state"), CancellationToken.None)
        );

        static async ValueTask<DiskStatus> WriteAsync(IServerDisk disk)
        {
            IDiskFile file = (await disk.OpenAsync("state", create: true)).Value!;
            return await file.WriteAsync(0, new byte[] { 7 });
        }

        static async ValueTask<int> ReadAsync(IServerDisk disk)
        {
            byte[] bytes = new byte[1];
            return
                (await disk.OpenAsync("state", create: false)).Value is { } file
                && (await file.ReadAsync(0, bytes)).Value == 1
                ? bytes[0]
                : -1;
        }
    }

    [Fact]
    public async Task A_full_and_a_broken_disk_are_answers()
    {
        await using LiveCube cube = await Start(_data);
        string folder = Directory.CreateDirectory(Path.Combine(_data, "0-0-0", "0722")).FullName;
        Directory.CreateDirectory(Path.Combine(folder, "folder"));
        Assert.Equal(
            DiskStatus.Failed,
            await Use(cube, 0, static async d => (await d.OpenAsync("folder", create: true)).Status)
        );
        await File.WriteAllTextAsync(
            Path.Combine(_data, "1-0-0"),
            "a file where a folder should be",
            CancellationToken.None
        );
        Assert.Equal(
            DiskStatus.Failed,
            await Use(cube, 1, static async d => (await d.OpenAsync("a", create: true)).Status)
        );
        if (OperatingSystem.IsLinux())
        {
            File.CreateSymbolicLink(Path.Combine(folder, "full"), "/dev/full");
            Assert.Equal(
                DiskStatus.Full,
                await Use(
                    cube,
                    0,
                    static async d =>
                    {
                        IDiskFile file = (await d.OpenAsync("full", create: false)).Value!;
                        return await file.WriteAsync(0, new byte[5]);
                    }
                )
            );
        }
    }

    [Fact]
    public async Task What_is_under_way_when_the_server_stops_ends_as_stopped()
    {
        await using LiveCube cube = await Start(_data);
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var answers = new TaskCompletionSource<DiskStatus>(TaskCreationOptions.RunContinuationsAsynchronously);
        ValueTask<int> began = Use(
            cube,
            0,
            async disk =>
            {
                IDiskFile file = (await disk.OpenAsync("a", create: true)).Value!;
                Assert.Equal(DiskStatus.Done, await file.WriteAsync(0, new byte[100]));
                begun.SetResult();
                DiskStatus status;
                do
                {
                    status = await file.WriteAsync(0, new byte[100]);
                } while (status == DiskStatus.Done);
                answers.SetResult(status);
                return 0;
            }
        );
        await begun.Task.WaitAsync(Generous);
        await cube.StopServerAsync(0);
        Assert.Equal(DiskStatus.Stopped, await answers.Task.WaitAsync(Generous));
        Assert.Equal(0, await began);
    }

    // Of all lengths, with a thread and without; nobody is called inside of a call of his own.
    [Fact]
    public async Task Reads_of_what_is_in_memory_are_right_and_end_later()
    {
        await using LiveCube cube = await Start(_data);
        await Use(
            cube,
            1,
            static async disk =>
            {
                IDiskFile file = (await disk.OpenAsync("a", create: true)).Value!;
                byte[] all = new byte[100_000];
                new Random(1).NextBytes(all);
                Assert.Equal(DiskStatus.Done, await file.WriteAsync(0, all));
                var random = new Random(2);
                for (int i = 0; i < 1_000; i++)
                {
                    int offset = random.Next(all.Length + 100);
                    byte[] into = new byte[random.Next(1, random.Next(3) == 0 ? 40_000 : 17_000)];
                    int there = Math.Clamp(all.Length - offset, 0, into.Length);
                    ValueTask<DiskResult<int>> read = file.ReadAsync(offset, into);
                    Assert.False(read.IsCompleted);
                    Assert.Equal(new DiskResult<int>(DiskStatus.Done, there), await read);
                    Assert.True(all.AsSpan(Math.Min(offset, all.Length), there).SequenceEqual(into[..there]));
                }

                // A change that has ended is seen by who reads then.
                all.AsSpan().Fill(7);
                Assert.Equal(DiskStatus.Done, await file.WriteAsync(50_000, all.AsMemory(0, 100)));
                byte[] some = new byte[100];
                Assert.Equal(DiskStatus.Done, (await file.ReadAsync(50_000, some)).Status);
                Assert.Equal(all[..100], some);
                file.Close();
                Assert.Equal(DiskStatus.Stopped, (await file.ReadAsync(0, some)).Status);
                return 0;
            }
        );
    }

    [Fact]
    public async Task Without_a_data_folder_there_is_no_disk()
    {
        await using LiveCube cube = await Start("");
        Assert.Equal(
            DiskStatus.NoDisk,
            await Use(cube, 0, static async d => (await d.OpenAsync("a", create: true)).Status)
        );
        Assert.False(await Use(cube, 0, static d => ValueTask.FromResult(d.IsAvailable)));
    }

    public void Dispose() => Directory.Delete(_data, recursive: true);

    private static async Task<LiveCube> Start(string data)
    {
        var cube = new LiveCube(
            new TorusShape(2, 1, 1),
            [
                new ServiceDefinition
                {
                    Id = new ServiceId(0x0722),
                    Name = "files",
                    Create = static a => new Files(a.Server),
                },
            ],
            new ServerOptions { DataFolder = data },
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        return cube;
    }

    private static async ValueTask<T> Use<T>(ICube cube, int rank, Func<IServerDisk, ValueTask<T>> use) =>
        await cube.GateOf(rank)
            .CallAsync<Files, Func<IServerDisk, ValueTask<T>>, T>(static (s, f) => f(s.Server.Disk), use)
            .AsTask()
            .WaitAsync(Generous);

    private sealed class Files(IServer server) : CamCubeService
    {
        public IServer Server => server;

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;
    }
}
