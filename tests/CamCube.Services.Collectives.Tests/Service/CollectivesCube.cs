using System.Runtime.InteropServices;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>A test cube whose servers have a group.</summary>
internal sealed class CollectivesCube : IDisposable
{
    private readonly Dictionary<int, IGroup> _groups = [];

    public CollectivesCube(
        TorusShape shape,
        int[]? members = null,
        CollectivesOptions? options = null,
        SimulatorOptions? simulator = null,
        Func<int, CollectivesOptions>? optionsOf = null
    )
    {
        Options = options ?? new CollectivesOptions();
        Cube = new TestCube(shape, simulator)
            .Add(s => new CollectivesService(s, optionsOf?.Invoke(shape.RankOf(s.Coordinate)) ?? Options))
            .Add(s => new Caller(s))
            .Add(s => new Bystander(s));
        Cube.AwaitConverged();
        Members = members ?? [.. Enumerable.Range(0, shape.Count)];
        Open("all");
    }

    public CollectivesOptions Options { get; }

    public TestCube Cube { get; }

    /// <summary>The server of each rank.</summary>
    public int[] Members { get; private set; }

    /// <summary>When the last call ended, in virtual nanoseconds.</summary>
    public long EndedNanos { get; private set; }

    /// <summary>The group of a member, by its rank in the group.</summary>
    public IGroup this[int rank] => _groups[Members[rank]];

    public static float[] Floats(int seed, int count)
    {
        var random = new Random(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++)
        {
            values[i] = (float)((random.NextDouble() - 0.5) * Math.Pow(10, random.Next(-3, 4)));
        }

        return values;
    }

    public CollectivesService Service(int server) => Cube[server].Service<CollectivesService>();

    /// <summary>Opens a group of some servers.</summary>
    public void Open(string name, int[]? members = null)
    {
        Members = members ?? Members;
        Coordinate[] places = [.. Members.Select(Cube.Shape.At)];
        foreach (int server in Members)
        {
            GroupAnswer answer = On(
                server,
                () => new ValueTask<GroupAnswer>(Service(server).Open(new GroupRequest(name) { Members = places }))
            ).Result;
            Assert.Equal((GroupStatus.Opened, null), (answer.Status, answer.Words));
            _groups[server] = answer.Group!;
        }
    }

    /// <summary>Begins at one member, on its loop.</summary>
    public Task<CollectiveResult> Begin(int rank, Func<IGroup, ValueTask<CollectiveResult>> call) =>
        On(Members[rank], () => call(this[rank]));

    /// <summary>Does something on a server's loop.</summary>
    public void Do(int server, Action act) =>
        On(
            server,
            () =>
            {
                act();
                return new ValueTask<bool>(true);
            }
        );

    /// <summary>Runs a command of a server, on its loop, and waits for its answer.</summary>
    public CommandResult Command(int server, string name, params (string, string)[] arguments)
    {
        ServiceCommand command = Service(server).Commands.Single(known => known.Name == name);
        Task<CommandResult> run = On(server, () => command.RunAsync(CommandCall.Of("", name, arguments)));
        Cube.AwaitUntil(() => run.IsCompleted, $"{name} did not end");
        return run.Result;
    }

    /// <summary>Begins at all, each with a buffer.</summary>
    public Task<CollectiveResult>[] BeginAll<T>(
        T[][] vectors,
        Func<IGroup, Memory<byte>, ValueTask<CollectiveResult>> call
    )
        where T : unmanaged
    {
        byte[][] buffers = Array.ConvertAll(vectors, static v => MemoryMarshal.AsBytes<T>(v).ToArray());
        var tasks = new Task<CollectiveResult>[Members.Length];
        for (int rank = 0; rank < Members.Length; rank++)
        {
            int at = rank;
            tasks[rank] = Begin(
                rank,
                async group =>
                {
                    CollectiveResult result = await call(group, buffers[at]);
                    MemoryMarshal.Cast<byte, T>(buffers[at]).CopyTo(vectors[at]);
                    return result;
                }
            );
        }

        return tasks;
    }

    /// <summary>Waits for operations that end well.</summary>
    public void AwaitDone(Task<CollectiveResult>[] tasks) =>
        Assert.All(
            AwaitAll(tasks),
            static result => Assert.Equal((CollectiveStatus.Done, null), (result.Status, result.Words))
        );

    public CollectiveResult[] AwaitAll(Task<CollectiveResult>[] tasks)
    {
        Cube.AwaitUntil(() => Array.TrueForAll(tasks, static task => task.IsCompleted), "Operations did not end");
        return Array.ConvertAll(tasks, static task => task.Result);
    }

    /// <summary>Does it at all, to its end.</summary>
    public void RunAll<T>(T[][] vectors, Func<IGroup, Memory<byte>, ValueTask<CollectiveResult>> call)
        where T : unmanaged => AwaitDone(BeginAll(vectors, call));

    /// <summary>Closes all groups; nothing is left.</summary>
    public void AssertQuiet()
    {
        foreach ((int server, IGroup group) in _groups)
        {
            if (Cube[server].IsRunning)
            {
                On(
                    server,
                    () =>
                    {
                        group.Close();
                        return new ValueTask<bool>(true);
                    }
                );
            }
        }

        Cube.Advance(TimeSpan.FromSeconds(2));
        for (int server = 0; server < Cube.Shape.Count; server++)
        {
            if (Cube[server].IsRunning)
            {
                Assert.Equal((0, 0), (Service(server).Terms.Pulls.Inputs, Service(server).Terms.Pulls.Outputs));
            }
        }

        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();

    private Task<T> On<T>(int server, Func<ValueTask<T>> call)
    {
        var ended = new TaskCompletionSource<T>();
        IServer at = Cube[server].ServerOf<CollectivesService>();
        at.Loop.Run(async () =>
        {
            try
            {
                T result = await call();
                EndedNanos = at.NowNanos;
                ended.SetResult(result);
            }
            catch (Exception wrong) when (wrong is InvalidOperationException or ArgumentException)
            {
                ended.SetException(wrong);
            }
        });
        return ended.Task;
    }
}
