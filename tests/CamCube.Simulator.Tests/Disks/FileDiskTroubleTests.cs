using System.Diagnostics;
using CamCube.Linux;
using CamCube.Runtime;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Storage;
using CamCube.Runtime.Workers;
using CamCube.Simulator.Tests.Work;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>Data folders of real hosts that are used twice, full, read-only, gone or slow: answers, and everything goes
/// on.</summary>
[Collection(nameof(Alone))]
public sealed class FileDiskTroubleTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly string _data = Directory.CreateTempSubdirectory("camcube-disk-").FullName;
    private bool _isMounted;

    [Fact]
    public async Task Of_two_hosts_with_one_folder_the_second_is_told_and_has_the_files_when_the_first_has_ended()
    {
        WorkCube second;
        await using (WorkCube first = await Start())
        {
            Assert.Equal(DiskStatus.Done, await first.Use(0, WriteAsync));
            second = await Start();
            Assert.Equal(Path.Combine(_data, "0-0-0"), await second.InUse.Task.WaitAsync(Generous));
            Assert.Equal(DiskStatus.InUse, await second.Use(0, WriteAsync));
            Assert.Equal(
                DiskStatus.InUse,
                await second.Use(0, static async s => (await s.Disk.OpenAsync("state", create: false)).Status)
            );
            Assert.Equal(DiskStatus.InUse, await second.Use(0, static async s => (await s.Disk.ListAsync()).Status));
            Assert.Equal(DiskStatus.InUse, await second.Use(0, static s => s.Disk.DeleteAsync("state")));
            Assert.Equal(DiskStatus.InUse, await second.Use(0, static s => s.Disk.RenameAsync("state", "b")));
            Assert.Equal(
                DiskStatus.InUse,
                await second.Use(0, static s => s.Disk.ReplaceAsync("state", new byte[] { 1 }))
            );

            // The first one's server restarts: the files are its host's all the same. Another server's nobody has.
            await first.Live.StopServerAsync(0);
            Assert.Equal(DiskStatus.InUse, await second.Use(0, WriteAsync));
            await first.Live.StartServerAsync(0);
            Assert.Equal(DiskStatus.Done, await first.Use(0, WriteAsync));
            Assert.Equal(DiskStatus.Done, await second.Use(1, WriteAsync));
            Assert.Equal(DiskStatus.InUse, await first.Use(1, WriteAsync));
        }

        await using WorkCube left = second;
        Assert.Equal(DiskStatus.Done, await second.Use(0, WriteAsync));
        Assert.Empty(second.Faults);
    }

    [Fact]
    public async Task A_folder_that_vanishes_is_an_answer_and_may_come_back()
    {
        await using WorkCube cube = await Start();
        IDiskFile file = await cube.Use(0, static async s => (await s.Disk.OpenAsync("a", create: true)).Value!);
        Directory.Delete(_data, recursive: true);
        Assert.Equal(DiskStatus.Done, await cube.Use(0, _ => file.WriteAsync(0, new byte[10])));
        Assert.Equal(
            DiskStatus.NotFound,
            await cube.Use(0, static async s => (await s.Disk.OpenAsync("a", create: false)).Status)
        );
        Assert.Equal(DiskStatus.NotFound, await cube.Use(0, static s => s.Disk.DeleteAsync("a")));
        Assert.Equal(DiskStatus.NotFound, await cube.Use(0, static s => s.Disk.RenameAsync("a", "b")));
        Assert.Equal(
            new DiskResult<int>(DiskStatus.Done, 0),
            await cube.Use(
                0,
                static async s =>
                {
                    DiskResult<IReadOnlyList<DiskEntry>> names = await s.Disk.ListAsync();
                    return new DiskResult<int>(names.Status, names.Value!.Count);
                }
            )
        );
        Assert.Equal(DiskStatus.Done, await cube.Use(0, WriteAsync));

        // The lock went with the folder, and is made again with it.
        await using WorkCube other = await Start();
        Assert.Equal(DiskStatus.InUse, await other.Use(0, WriteAsync));
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public async Task A_full_and_a_read_only_disk_are_answers()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Mount("size=64k"), "no disk can be mounted here");
        await using (WorkCube full = await Start())
        {
            Assert.Equal(DiskStatus.Done, await full.Use(0, WriteAsync));
            Assert.Equal(
                DiskStatus.Full,
                await full.Use(0, static s => s.Disk.ReplaceAsync("state", new byte[100_000]))
            );
            Assert.Equal(
                "state",
                await full.Use(
                    0,
                    static async s =>
                        string.Join(',', (await s.Disk.ListAsync()).Value!.Select(static file => file.Name))
                )
            );
            Assert.Equal(
                DiskStatus.Done,
                await full.Use(0, static s => s.Disk.ReplaceAsync("state", new byte[20_000]))
            );
            Assert.Empty(full.Faults);
        }

        Assert.Equal(0, Run("mount", "-o", "remount,ro", _data));
        await using WorkCube cube = await Start();
        foreach (
            Func<IServer, ValueTask<DiskStatus>> use in (Func<IServer, ValueTask<DiskStatus>>[])
                [
                    WriteAsync,
                    static s => s.Disk.DeleteAsync("state"),
                    static s => s.Disk.RenameAsync("state", "b"),
                    static s => s.Disk.ReplaceAsync("state", new byte[1]),
                    static async s => (await s.Disk.ListAsync()).Status,
                ]
        )
        {
            Assert.Equal(DiskStatus.Failed, await cube.Use(0, use));
        }

        Assert.Equal(DiskStatus.Failed, await cube.Use(1, WriteAsync));
        Assert.Empty(cube.Faults);
    }

    // What the system has in memory waits for no disk; every so often a thread is asked all the same, so that who reads
    // on and on lets others have their turn.
    [Fact]
    public async Task Short_reads_of_what_is_in_memory_go_on_while_the_disk_hangs_but_not_all()
    {
        string known = Path.GetTempFileName();
        await File.WriteAllBytesAsync(known, new byte[10]);
        using (SafeFileHandle handle = File.OpenHandle(known))
        {
            Assert.False(CachedRead.TryRead(handle, 5, new byte[6]));
            if (!CachedRead.TryRead(handle, 5, new byte[5]))
            {
                Assert.Skip("this system, or this file system, does not say what is in memory");
            }
        }

        File.Delete(known);
        await using WorkCube cube = await Start(
            new ServerOptions
            {
                Work = new WorkOptions { DiskThreads = 1, DiskLimit = 100 },
            }
        );
        using var gate = new ManualResetEventSlim();
        IDiskFile file = await cube.Use(0, static async s => (await s.Disk.OpenAsync("a", create: true)).Value!);
        Assert.Equal(DiskStatus.Done, await cube.Use(0, _ => file.WriteAsync(0, new byte[20_000])));
        Task<int> hanging = await HangAsync(cube, gate);
        var reads = new List<Task<DiskResult<int>>>();
        for (int i = 0; i < 64; i++)
        {
            reads.Add(cube.Use(0, _ => file.ReadAsync(i, new byte[16 << 10])));
        }

        // One after the other on the loop: those that end without a thread have ended when what is asked later has.
        await cube.Use(0, static _ => new ValueTask<int>(0));
        await cube.Use(0, static _ => new ValueTask<int>(0));
        Assert.Equal(2, cube.Live.GetStatus().Servers[0].Work[2].Waiting);
        gate.Set();
        Assert.Equal(1, await hanging);
        Assert.All(await Task.WhenAll(reads), static read => Assert.Equal(new(DiskStatus.Done, 16 << 10), read));
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public async Task A_disk_that_hangs_is_Busy_after_a_while_and_chunks_in_its_hands_are_nobody_elses()
    {
        await using WorkCube cube = await Start(
            new ServerOptions
            {
                Work = new WorkOptions { DiskThreads = 1, DiskLimit = 2 },
                Memory = new MemoryOptions { ProcessLimit = 8 * Chunk.Size },
            }
        );
        using var gate = new ManualResetEventSlim();
        IDiskFile file = await cube.Use(0, static async s => (await s.Disk.OpenAsync("a", create: true)).Value!);
        Assert.Equal(DiskStatus.Done, await cube.Use(0, _ => file.WriteAsync(0, "hello"u8.ToArray())));
        Task<int> hanging = await HangAsync(cube, gate);
        Memory<byte> bytes = default;
        Task<DiskResult<int>> reading = cube.Use(
            0,
            async s =>
            {
                Assert.True(s.Memory.TryClaim("read", 4 * Chunk.Size, out IMemoryClaim? claim));
                Assert.True(claim.TryRentChunk(out Chunk chunk));
                chunk.Span.Clear();
                ValueTask<DiskResult<int>> read = file.ReadAsync(5, bytes = chunk.Memory[..5]);
                Assert.Throws<OwnershipException>(() => claim.Return(chunk));
                return await read;
            }
        );
        Task<DiskStatus> writing = cube.Use(0, _ => file.WriteAsync(0, new byte[1]));
        Assert.Equal(DiskStatus.Busy, await cube.Use(0, WriteAsync));
        Assert.Equal(DiskStatus.Busy, await cube.Use(0, _ => file.WriteAsync(0, new byte[1])));
        Assert.Equal(
            (1, 2),
            (cube.Live.GetStatus().Servers[0].Work[2].Running, cube.Live.GetStatus().Servers[0].Work[2].Waiting)
        );
        await cube.Live.StopServerAsync(0);
        Assert.Equal(
            (3, DiskStatus.Stopped, DiskStatus.Stopped),
            (await hanging, (await reading).Status, await writing)
        );

        // All but that one chunk came back, and nobody else has that one.
        Assert.Equal(7 * Chunk.Size, await cube.Use(1, static s => ValueTask.FromResult(s.Memory.Room)));
        Assert.False(bytes.Span.ContainsAnyExcept((byte)0));
        gate.Set();
        Assert.Equal(DiskStatus.Done, await cube.Use(1, WriteAsync));
        Assert.Equal(8 * Chunk.Size, await cube.Use(1, static s => ValueTask.FromResult(s.Memory.Room)));
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public async Task Reads_writes_and_syncs_allocate_nothing_on_the_loop()
    {
        await using WorkCube cube = await Start(servers: 1);
        Assert.Equal(
            0,
            await cube.Use(
                0,
                static async s =>
                {
                    Assert.True(s.Memory.TryClaim("test", Chunk.Size, out IMemoryClaim? claim));
                    Assert.True(claim.TryRentChunk(out Chunk chunk));
                    IDiskFile file = (await s.Disk.OpenAsync("a", create: true)).Value!;
                    byte[] own = new byte[100];
                    ReadOnlyMemory<byte>[] pieces = [chunk.Memory, own];
                    long before = 0,
                        least = long.MaxValue;
                    for (int i = 0; i < 1_001; i++)
                    {
                        if (i % 200 == 0)
                        {
                            // Of several stretches the least: pools grow when two operations happen to be under way at
                            // once.
                            least = i < 400 ? least : Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
                            before = GC.GetAllocatedBytesForCurrentThread();
                        }

                        Memory<byte> buffer = i % 2 == 0 ? chunk.Memory : own;
                        bool done =
                            await file.WriteAsync(i, buffer) == DiskStatus.Done
                            && await file.GatherAsync(i, pieces, sync: i % 50 == 1) == DiskStatus.Done
                            && (await file.ReadAsync(i, buffer)).Value == buffer.Length
                            && (i % 50 > 0 || await file.SyncAsync() == DiskStatus.Done)
                            && await file.SetLengthAsync(5_000) == DiskStatus.Done;
                        if (!done)
                        {
                            return -1;
                        }
                    }

                    return least;
                }
            )
        );
    }

    // The one thread for disks is busy until the gate opens: 1; or the service stops: 3.
    private static async Task<Task<int>> HangAsync(WorkCube cube, ManualResetEventSlim gate)
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<int> hanging = cube.Use(
            0,
            s =>
                FolderJob<int>.Start(
                    (ServiceView)s,
                    () =>
                    {
                        begun.SetResult();
                        return gate.Wait(Generous) ? 1 : 2;
                    },
                    static _ => 3
                )
        );
        await begun.Task.WaitAsync(Generous);
        return hanging;
    }

    public void Dispose()
    {
        if (_isMounted)
        {
            Run("umount", _data);
        }

        if (Directory.Exists(_data))
        {
            Directory.Delete(_data, recursive: true);
        }
    }

    private static async ValueTask<DiskStatus> WriteAsync(IServer server)
    {
        DiskResult<IDiskFile> opened = await server.Disk.OpenAsync("state", create: true);
        if (opened.Value is not { } file)
        {
            return opened.Status;
        }

        DiskStatus status = await file.WriteAsync(0, new byte[] { 7 });
        file.Close();
        return status;
    }

    private static int Run(string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true })!;
        Assert.True(process.WaitForExit(Generous));
        return process.ExitCode;
    }

    private Task<WorkCube> Start(ServerOptions? options = null, int servers = 2)
    {
        options ??= new ServerOptions();
        options.DataFolder = _data;
        return WorkCube.StartAsync(options, servers);
    }

    private bool Mount(string size) =>
        _isMounted =
            Environment.UserName == "root" && Run("mount", "-t", "tmpfs", "-o", size, "camcube-disk", _data) == 0;
}
