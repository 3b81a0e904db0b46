using System.Runtime.CompilerServices;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>Reads the keys of records without their values. Their sum is over both, so whoever reads a key must know by
/// other means that it is right. Loop only; one read at a time.</summary>
/// <param name="log">The log.</param>
internal sealed class KeyReader(StoreLog log)
{
    // Most keys, with their heads, in one read.
    private const int Usual = 512;
    private byte[] _bytes = new byte[Usual];

    /// <summary>Reads a key.</summary>
    /// <param name="location">Its record.</param>
    /// <returns>The key, until the next is read; null: it cannot be read, or is not in that place any more.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(LogLocation location)
    {
        int wanted = Math.Min(Usual, location.Length);
        while (true)
        {
            if (log.Segments.Find(location.Segment) is not { } segment)
            {
                return null;
            }

            if (_bytes.Length < wanted)
            {
                _bytes = new byte[wanted];
            }

            DiskResult<int> read = await segment.File.ReadAsync(location.Offset, _bytes.AsMemory(0, wanted));
            if (!read.IsDone || read.Value < wanted || wanted < RecordFormat.HeadLength)
            {
                return null;
            }

            int end = RecordFormat.HeadLength + ReadUInt16LittleEndian(_bytes.AsSpan(RecordFormat.KeyLengthAt));
            if (end <= wanted)
            {
                return _bytes.AsMemory(RecordFormat.HeadLength..end);
            }

            if (end > location.Length)
            {
                return null;
            }

            wanted = end;
        }
    }
}
