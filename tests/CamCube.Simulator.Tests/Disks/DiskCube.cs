using CamCube.Runtime.Services;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>Two servers with a service that has files.</summary>
internal sealed class DiskCube(ulong seed = 1, SimulatedDiskOptions? options = null) : IDisposable
{
    public TestCube Test { get; } =
        new TestCube(2, 1, 1, new SimulatorOptions { Seed = seed, Disk = options ?? new SimulatedDiskOptions() })
            .Add(
                new ServiceDefinition
                {
                    Id = new ServiceId(0x0720),
                    Name = "files",
                    Create = static a => new Files(a.Server),
                }
            )
            .Add(
                new ServiceDefinition
                {
                    Id = new ServiceId(0x0721),
                    Name = "others",
                    Create = static a => new Others(a.Server),
                }
            );

    public SimulatedCube Cube => Test.Cube;

    public IServerDisk Disk => DiskOf(0);

    public static byte[] Bytes(int length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    public IServerDisk DiskOf(int rank) => Cube.ServerOf<Files>(rank).Disk;

    public IServerDisk OtherDiskOf(int rank) => Cube.ServerOf<Others>(rank).Disk;

    public T Await<T>(ValueTask<T> task) => Test.Await(task);

    public IDiskFile Open(string name, bool create = true)
    {
        DiskResult<IDiskFile> opened = Await(Disk.OpenAsync(name, create));
        Assert.Equal(DiskStatus.Done, opened.Status);
        return opened.Value!;
    }

    public void Write(IDiskFile file, long offset, byte[] bytes) =>
        Assert.Equal(DiskStatus.Done, Await(file.WriteAsync(offset, bytes)));

    public byte[] Read(IDiskFile file)
    {
        byte[] bytes = new byte[file.Length + 10];
        DiskResult<int> read = Await(file.ReadAsync(0, bytes));
        Assert.Equal(new DiskResult<int>(DiskStatus.Done, (int)file.Length), read);
        return bytes[..read.Value];
    }

    /// <summary>A file with this content, safe with its name.</summary>
    public IDiskFile Safe(string name, byte[] bytes)
    {
        IDiskFile file = Open(name);
        Write(file, 0, bytes);
        Assert.Equal(DiskStatus.Done, Await(file.SyncAsync()));
        Assert.Equal(DiskStatus.Done, Await(Disk.SyncAsync()));
        return file;
    }

    public IReadOnlyList<string> List() => [.. Await(Disk.ListAsync()).Value!.Select(static file => file.Name)];

    public void FailPower(bool emptyDisk = false)
    {
        Cube.Kill(0);
        Cube.Revive(0, emptyDisk);
    }

    public void Dispose() => Test.Dispose();

    private sealed class Files(IServer server) : Silent(server);

    private sealed class Others(IServer server) : Silent(server);

    private abstract class Silent(IServer server) : CamCubeService
    {
        public IServer Server => server;

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;
    }
}
