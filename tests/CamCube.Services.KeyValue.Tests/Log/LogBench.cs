using CamCube.Runtime.Services;
using CamCube.Services.KeyValue.Log;
using CamCube.Simulator;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>A server with a log on its disk. Records are numbered; all of a record follows from its number.</summary>
internal sealed class LogBench : IDisposable
{
    private readonly LogOptions _options;

    public LogBench(
        ulong seed = 1,
        int segmentBytes = 1 << 20,
        int bufferBytes = 64 << 10,
        long capacityBytes = 1L << 30,
        int aheadBytes = 0
    )
    {
        _options = new LogOptions
        {
            SegmentBytes = segmentBytes,
            BufferBytes = bufferBytes,
            AheadBytes = aheadBytes,
        };
        var simulator = new SimulatorOptions { Seed = seed };
        simulator.Disk.CapacityBytes = capacityBytes;
        Test = new TestCube(1, 1, 1, simulator).Add(
            new ServiceDefinition
            {
                Id = new ServiceId(0x7160),
                Name = "log",
                Create = static a => new LogHolder(a.Server),
            }
        );
    }

    public TestCube Test { get; }

    public SimulatedCube Cube => Test.Cube;

    public LogHolder Holder => Cube.Service<LogHolder>(0);

    public StoreLog Log => Holder.Opening!.Log!;

    public IServerDisk Disk => Cube.ServerOf<LogHolder>(0).Disk;

    public static LogRecord RecordOf(ulong index) =>
        new()
        {
            Kind = (byte)index,
            Flags = 3,
            Group = (uint)index * 7,
            Index = index,
            Generation = 1,
            Epoch = 2,
            Term = (uint)index,
            Expires = 9,
            Version = index << 24,
        };

    public static byte[] KeyOf(ulong index) => [.. BitConverter.GetBytes(index).Take((int)(index % 8))];

    public static byte[] ValueOf(ulong index, int length)
    {
        byte[] value = new byte[length];
        new Random((int)index).NextBytes(value);
        return value;
    }

    /// <summary>Begins to open the log.</summary>
    public void Begin() => Holder.Open(_options);

    public LogOpening Open()
    {
        Begin();
        Test.AwaitUntil(() => Holder.Opening is not null);
        return Holder.Opening!;
    }

    /// <summary>Appends records with these numbers.</summary>
    public void Append(ulong first, int count, int valueLength)
    {
        for (ulong i = first; i < first + (ulong)count; i++)
        {
            Assert.True(Log.TryAppend(RecordOf(i), KeyOf(i), [7, 7], ValueOf(i, valueLength), out ulong ticket));
            Assert.True(ticket > 0);
        }
    }

    /// <summary>Waits until all that was appended is synced.</summary>
    public void Settle() => Test.AwaitUntil(() => !Log.IsBehind);

    /// <summary>A stop in order, and the log opened anew.</summary>
    public LogOpening Restart()
    {
        Cube.Shutdown(0);
        Cube.Revive(0);
        return Open();
    }

    /// <summary>Power fails.</summary>
    public LogOpening Crash()
    {
        Cube.Kill(0);
        Cube.Revive(0);
        return Open();
    }

    public IReadOnlyList<DiskEntry> Files() => Test.Await(Disk.ListAsync()).Value!;

    public byte[] Read(string name)
    {
        IDiskFile file = Test.Await(Disk.OpenAsync(name, create: false)).Value!;
        byte[] bytes = new byte[file.Length];
        Assert.Equal(bytes.Length, Test.Await(file.ReadAsync(0, bytes)).Value);
        file.Close();
        return bytes;
    }

    /// <summary>Writes a file anew from outside.</summary>
    public void Write(string name, byte[] bytes)
    {
        IDiskFile file = Test.Await(Disk.OpenAsync(name, create: true)).Value!;
        Assert.Equal(DiskStatus.Done, Test.Await(file.SetLengthAsync(bytes.Length)));
        Assert.Equal(DiskStatus.Done, Test.Await(file.WriteAsync(0, bytes, sync: true)));
        file.Close();
        Assert.Equal(DiskStatus.Done, Test.Await(Disk.SyncAsync()));
    }

    public void Dispose() => Test.Dispose();
}
