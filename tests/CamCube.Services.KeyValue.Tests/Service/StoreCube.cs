using System.Buffers;
using System.Text;
using CamCube.Runtime;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>A test cube with a store on every server.</summary>
internal sealed class StoreCube : IDisposable
{
    public StoreCube(
        int x,
        int y,
        int z,
        KeyValueOptions? options = null,
        long capacityBytes = 1L << 36,
        ServerOptions? server = null
    )
    {
        Options = options ?? new KeyValueOptions();
        var simulator = new SimulatorOptions();
        simulator.Disk.CapacityBytes = capacityBytes;
        Cube = new TestCube(x, y, z, simulator, server).Add(s => new KeyValueService(s, Options));
    }

    public KeyValueOptions Options { get; }

    public TestCube Cube { get; }

    /// <summary>The service on a server.</summary>
    public KeyValueService Store(int rank) => Cube[rank].Service<KeyValueService>();

    public IKeyValueStore this[int rank] => Cube[rank].Service<KeyValueService>();

    /// <summary>Waits until all groups have a leader.</summary>
    public void AwaitLed() =>
        Cube.AwaitUntil(
            () =>
                Enumerable
                    .Range(0, Cube.Shape.Count)
                    .Where(rank => Cube[rank].IsRunning)
                    .All(rank =>
                        this[rank].ListGroups() is { Count: > 0 } groups && groups.All(g => g.Leader is not null)
                    ),
            "Not all groups have a leader"
        );

    /// <summary>Waits until all groups are as they should be: nobody away, the first one leads, all is applied.
    /// </summary>
    public void AwaitSettled()
    {
        for (int second = 0; second < 60 && Unsettled().Any(); second++)
        {
            Cube.Advance(TimeSpan.FromSeconds(1));
        }

        string left = string.Join('\n', Unsettled().Take(3));
        Assert.True(left.Length == 0, $"{left}\n{string.Join('\n', Cube.Faults.Take(2))}");
    }

    public KeyValueAnswer Put(int rank, string key, string value, KeyValueCondition condition = default) =>
        Cube.Await(
            this[rank].PutAsync(KeyValueKey.Of(key), Encoding.UTF8.GetBytes(value), new() { Condition = condition })
        );

    public (KeyValueAnswer Answer, string Value) Get(int rank, string key)
    {
        var value = new ArrayBufferWriter<byte>();
        KeyValueAnswer answer = Cube.Await(this[rank].GetAsync(KeyValueKey.Of(key), value: value));
        return (answer, Encoding.UTF8.GetString(value.WrittenSpan));
    }

    /// <summary>A change by what is there, and the answer's value.</summary>
    public (KeyValueAnswer Answer, string Value) Change(int rank, string key, KeyValueChange change)
    {
        var value = new ArrayBufferWriter<byte>();
        KeyValueAnswer answer = Cube.Await(this[rank].ChangeAsync(KeyValueKey.Of(key), change, value));
        return (answer, Encoding.UTF8.GetString(value.WrittenSpan));
    }

    /// <summary>All keys that a list brings, with how often.</summary>
    public Dictionary<string, int> List(int rank, string prefix, int limit, Action<int>? between = null)
    {
        Dictionary<string, int> keys = [];
        string? cursor = null;
        for (int pages = 0; pages == 0 || cursor is not null; pages++)
        {
            Assert.InRange(pages, 0, 10_000);
            KeyValuePage page = Cube.Await(this[rank].ListAsync(KeyValueKey.Of(prefix), cursor, limit));
            for (int tries = 0; page.Status == KeyValueStatus.Unavailable && tries < 20; tries++)
            {
                page = Cube.Await(this[rank].ListAsync(KeyValueKey.Of(prefix), cursor, limit));
            }

            Assert.Equal(KeyValueStatus.Done, page.Status);
            foreach (KeyValueListing listed in page.Keys)
            {
                string key = Encoding.UTF8.GetString(listed.Key.Span);
                keys[key] = keys.GetValueOrDefault(key) + 1;
            }

            cursor = page.Next;
            between?.Invoke(pages);
        }

        return keys;
    }

    public KeyValueAnswer Delete(int rank, string key, KeyValueCondition condition = default) =>
        Cube.Await(this[rank].DeleteAsync(KeyValueKey.Of(key), condition));

    public IEnumerable<string> Unsettled()
    {
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            if (!Cube[rank].IsRunning)
            {
                continue;
            }

            KeyValueService service = Cube[rank].Service<KeyValueService>();
            if (service.Host.Failure.Length > 0)
            {
                yield return $"{rank}: {service.Host.Failure}";
            }

            foreach (Member member in service.Host.Members)
            {
                GroupState state = member.State;
                if (state.Role == GroupRole.Ended || HadNoPart(member))
                {
                    continue;
                }

                bool isRight =
                    state.CommitMarks.Away == 0
                    && member.Leader is { } leader
                    && leader == state.Epoch!.Members[0].Server
                    && member.Shown == state.LastIndex;
                if (!isRight)
                {
                    yield return $"{rank}: {member.Id.Home}/{member.Id.Sequence} shown {member.Shown} tail "
                        + $"{member.Tail.Base}..{member.Tail.Last} fetching {service.Fetching} {state}";
                }
            }
        }
    }

    // It was to stand in for another, and never had the state.
    public static bool HadNoPart(Member member) =>
        member.State is { Role: GroupRole.Unborn, Fetching: null, Birth: null } state
        && !member.Planned.Contains(state.Self.Server);

    public void Dispose() => Cube.Dispose();
}
