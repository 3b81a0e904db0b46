using System.Buffers;
using System.Text;
using CamCube.Testing;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>A test cube with a store on every server.</summary>
internal sealed class StoreCube : IDisposable
{
    public StoreCube(int x, int y, int z, KeyValueOptions? options = null)
    {
        Options = options ?? new KeyValueOptions();
        Cube = new TestCube(x, y, z).Add(s => new KeyValueService(s, Options));
    }

    public KeyValueOptions Options { get; }

    public TestCube Cube { get; }

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

    public KeyValueAnswer Delete(int rank, string key, KeyValueCondition condition = default) =>
        Cube.Await(this[rank].DeleteAsync(KeyValueKey.Of(key), condition));

    public void Dispose() => Cube.Dispose();
}
