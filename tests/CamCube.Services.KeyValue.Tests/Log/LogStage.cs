using CamCube.Runtime;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue.Log;
using CamCube.Simulator;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>A server with a small store on a log, whose history outlives crashes.</summary>
internal sealed class LogStage : IDisposable
{
    public LogStage(LogOptions options, ulong seed = 1, long capacityBytes = 1L << 30, long? memory = null)
    {
        Options = options;
        var simulator = new SimulatorOptions { Seed = seed };
        simulator.Disk.CapacityBytes = capacityBytes;
        LogHistory history = History;
        var server = new ServerOptions { Memory = new MemoryOptions { ServiceLimit = memory } };
        Test = new TestCube(1, 1, 1, simulator, server).Add(
            new ServiceDefinition
            {
                Id = new ServiceId(0x7163),
                Name = "log",
                Create = a => new LogModel(a.Server, history),
            }
        );
    }

    public TestCube Test { get; }

    public SimulatedCube Cube => Test.Cube;

    public LogOptions Options { get; set; }

    public LogHistory History { get; } = new();

    public LogModel Model => Cube.Service<LogModel>(0);

    public StoreLog Log => Model.Log;

    public IServerDisk Disk => Cube.ServerOf<LogModel>(0).Disk;

    public LogOpening Open()
    {
        Model.Open(Options);
        Test.AwaitUntil(() => Model.Opening is not null);
        return Model.Opening!;
    }

    /// <summary>Power fails, and the log is opened anew.</summary>
    public LogOpening Crash()
    {
        Cube.Kill(0);
        Cube.Revive(0);
        return Open();
    }

    /// <summary>Waits until all that was appended is synced.</summary>
    public void Settle() => Test.AwaitUntil(() => !Log.IsBehind || Log.HasEnded);

    /// <summary>Appends, and waits while there is no memory for it.</summary>
    public LogAnswer Write(string key, int length, LogUse use = LogUse.Needed)
    {
        Assert.True(Test.Faults.Count == 0, string.Join('\n', Test.Faults));
        LogAnswer answer;
        while ((answer = Model.Write(key, length, use)) == LogAnswer.Busy)
        {
            Cube.Advance(TimeSpan.FromMicroseconds(200));
        }

        return answer;
    }

    /// <summary>Bytes of all files of segments.</summary>
    public long DiskBytes() =>
        Test.Await(Disk.ListAsync())
            .Value!.Where(static e => e.Name.StartsWith("seg-", StringComparison.Ordinal))
            .Sum(static e => e.Length);

    public IEnumerable<string> Files() => Test.Await(Disk.ListAsync()).Value!.Select(static e => e.Name);

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

    /// <summary>What is found is what was synced, or something appended later, and can be read.</summary>
    public void Check()
    {
        Assert.True(Test.Faults.Count == 0, string.Join('\n', Test.Faults));
        foreach (string key in History.Keys)
        {
            bool isThere = Model.Index.TryGetValue(key, out var entry);
            Assert.True(
                History.Allows(key, entry.Index, isThere ? entry.Length : -1),
                $"'{key}' is found as {entry.Index} with {entry.Length} bytes"
            );
            if (isThere)
            {
                LogRead read = Test.Await(Log.ReadAsync(entry.At, new byte[entry.At.Length]));
                Assert.True(read.Status == DiskStatus.Done && !read.IsRotten, $"'{key}' cannot be read: {read.Status}");
                byte[] value = entry.Length < 0 ? [] : LogBench.ValueOf(entry.Index, entry.Length);
                Assert.Equal(value, read.Value.ToArray());
            }
        }
    }

    public void Dispose() => Test.Dispose();
}
