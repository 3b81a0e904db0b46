namespace CamCube.Services.KeyValue.Tests.FrontEnds;

internal sealed class FakeReader(KeyValueAnswer answer, ReadOnlyMemory<byte> metadata, ReadOnlyMemory<byte> value)
    : IKeyValueReader
{
    private ReadOnlyMemory<byte> _rest = value;

    public KeyValueAnswer Answer => answer;

    public ReadOnlyMemory<byte> Metadata => metadata;

    public void Select(long from, long length) => _rest = _rest.Slice((int)from, (int)length);

    public ValueTask<KeyValuePart> ReadAsync()
    {
        var part = new KeyValuePart(answer.Status, _rest);
        _rest = default;
        return new(part);
    }

    public void Dispose() { }
}
