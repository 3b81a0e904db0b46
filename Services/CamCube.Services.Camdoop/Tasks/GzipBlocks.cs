using System.IO.Compression;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Compresses bytes as they come, in blocks of one length, so that the result depends on the bytes only and
/// not on how they came. One thread at a time.</summary>
internal sealed class GzipBlocks : IDisposable
{
    private const int BlockBytes = 64 << 10;
    private readonly MemoryStream _out = new();
    private readonly GZipStream _gzip;
    private readonly byte[] _block = new byte[BlockBytes];
    private int _length;

    /// <summary>The begin of a file.</summary>
    public GzipBlocks() => _gzip = new GZipStream(_out, CompressionLevel.Fastest, leaveOpen: true);

    /// <summary>Adds bytes. Returns what is ready; valid until the next call.</summary>
    public ReadOnlyMemory<byte> Add(ReadOnlySpan<byte> bytes)
    {
        _out.SetLength(0);
        while (!bytes.IsEmpty)
        {
            int count = Math.Min(bytes.Length, BlockBytes - _length);
            bytes[..count].CopyTo(_block.AsSpan(_length));
            _length += count;
            bytes = bytes[count..];
            if (_length == BlockBytes)
            {
                _gzip.Write(_block);
                _length = 0;
            }
        }

        return Ready();
    }

    /// <summary>That was all. Returns the rest.</summary>
    public ReadOnlyMemory<byte> Complete()
    {
        _out.SetLength(0);
        _gzip.Write(_block.AsSpan(0, _length));
        _gzip.Dispose();
        return Ready();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _gzip.Dispose();
        _out.Dispose();
    }

    private ReadOnlyMemory<byte> Ready() => _out.GetBuffer().AsMemory(0, (int)_out.Length);
}
