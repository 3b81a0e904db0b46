using System.Buffers;
using System.Text;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>What a read at once gave.</summary>
internal sealed class TakenValue : ICacheValueReader
{
    private readonly ArrayBufferWriter<byte> _bytes = new();

    public string Text => Encoding.Latin1.GetString(_bytes.WrittenSpan);

    public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset) => _bytes.Write(piece);
}
