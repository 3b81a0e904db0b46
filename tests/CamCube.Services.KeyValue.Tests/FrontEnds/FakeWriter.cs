using System.Buffers;

namespace CamCube.Services.KeyValue.Tests.FrontEnds;

internal sealed class FakeWriter(IKeyValueStore store, KeyValueKey key, int longest) : IKeyValueWriter
{
    private readonly ArrayBufferWriter<byte> _value = new();

    public long Length => _value.WrittenCount;

    public ValueTask<KeyValueStatus> WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        _value.Write(bytes.Span);
        return new(Length > longest ? KeyValueStatus.TooLarge : KeyValueStatus.Done);
    }

    public ValueTask<KeyValueAnswer> CommitAsync(KeyValuePut put = default) =>
        store.PutAsync(key, _value.WrittenMemory.ToArray(), put);

    public void Dispose() { }
}
