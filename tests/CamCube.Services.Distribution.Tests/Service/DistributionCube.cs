using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>A test cube that distributes files, and what its servers have.</summary>
internal sealed class DistributionCube : IDisposable
{
    public DistributionCube(
        int x,
        int y,
        int z,
        DistributionOptions? options = null,
        SimulatorOptions? simulator = null
    )
    {
        Options = options ?? new DistributionOptions { PieceBytes = 8 << 10 };
        Cube = new TestCube(x, y, z, simulator).Add(s => new DistributionService(s, Options));
        Cube.AwaitConverged();
    }

    public DistributionOptions Options { get; }

    public TestCube Cube { get; }

    public DistributionService this[int rank] => Cube[rank].Service<DistributionService>();

    /// <summary>Bytes that are a function of a number.</summary>
    public static byte[] Bytes(int seed, int length)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Calls on a server's loop.</summary>
    public Task<T> Start<T>(int rank, Func<DistributionService, IServer, ValueTask<T>> call)
    {
        (DistributionService service, IServer server) = (this[rank], Cube[rank].ServerOf<DistributionService>());
        var ended = new TaskCompletionSource<T>();
        server.Loop.Run(async () => ended.SetResult(await call(service, server)));
        return ended.Task;
    }

    /// <summary>The same, to its end.</summary>
    public T Run<T>(int rank, Func<DistributionService, IServer, ValueTask<T>> call) =>
        Cube.Await(new ValueTask<T>(Start(rank, call)));

    /// <summary>Puts a file into a server's folder.</summary>
    public void Put(int rank, string name, byte[] bytes) =>
        Assert.Equal(
            DiskStatus.Done,
            Run(
                rank,
                async (_, server) =>
                {
                    DiskResult<IDiskFile> opened = await server.Disk.OpenAsync(name, create: true);
                    await opened.Value!.SetLengthAsync(0);
                    DiskStatus status = await opened.Value.WriteAsync(0, bytes, sync: true);
                    opened.Value.Close();
                    return status;
                }
            )
        );

    /// <summary>A file of a server's folder; null: there is none.</summary>
    public byte[]? Read(int rank, string name) =>
        Run<byte[]?>(
            rank,
            async (_, server) =>
            {
                DiskResult<IDiskFile> opened = await server.Disk.OpenAsync(name, create: false);
                if (opened.Value is not { } file)
                {
                    return null;
                }

                byte[] bytes = new byte[file.Length];
                await file.ReadAsync(0, bytes);
                file.Close();
                return bytes;
            }
        );

    /// <summary>The names in a server's folder.</summary>
    public string[] Names(int rank) =>
        Run<string[]>(
            rank,
            async (_, server) => [.. (await server.Disk.ListAsync()).Value!.Select(static file => file.Name)]
        );

    /// <summary>Begins to send.</summary>
    public DistributionAnswer Send(int rank, DistributionRequest request) =>
        Run(rank, (service, _) => service.SendAsync(request));

    /// <summary>Begins to send what has to begin.</summary>
    public ulong Begin(int rank, string name, params int[] to)
    {
        DistributionAnswer answer = Send(rank, new DistributionRequest(name) { To = [.. to.Select(Cube.Shape.At)] });
        Assert.Equal((DistributionStatus.Started, null), (answer.Status, answer.Words));
        return answer.Job;
    }

    /// <summary>The same to all, coded.</summary>
    public ulong BeginCoded(int rank, string name, int code)
    {
        DistributionAnswer answer = Send(rank, new DistributionRequest(name) { Code = code });
        Assert.Equal((DistributionStatus.Started, null), (answer.Status, answer.Words));
        return answer.Job;
    }

    public DistributionState State(int rank, ulong job) => this[rank].StateOf(job)!;

    /// <summary>Waits until a job has ended.</summary>
    public DistributionState Await(int rank, ulong job)
    {
        Cube.AwaitUntil(
            () => State(rank, job).Stage is not (DistributionStage.Preparing or DistributionStage.Running),
            "The job did not end"
        );
        return State(rank, job);
    }

    /// <summary>Nothing is left: no packet, no job, no memory, no part of a file.</summary>
    public void AssertQuiet()
    {
        Cube.Advance(TimeSpan.FromSeconds(3));
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            if (Cube[rank].IsRunning)
            {
                Assert.Equal(0, this[rank].Known);
                Assert.Equal(0, this[rank].Terms.Windows.InUse);
                Assert.Equal(0, this[rank].Terms.Transit.InUse);
                Assert.Equal((0, 0), (this[rank].Terms.Pulls.Inputs, this[rank].Terms.Pulls.Outputs));
                Assert.DoesNotContain(Names(rank), static name => FileName.WrongOf(name) is not null);
            }
        }

        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();
}
