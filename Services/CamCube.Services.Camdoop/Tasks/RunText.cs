using System.Buffers;
using System.Text;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>A sorted run as lines, piece by piece. One thread at a time.</summary>
/// <param name="job">The job.</param>
/// <param name="run">The run.</param>
internal sealed class RunText(Job job, SortedRun run)
{
    private const int PieceBytes = 64 << 10;
    private readonly byte[] _separator = Encoding.UTF8.GetBytes(job.Description.Text.ReduceInputSeparator);
    private readonly ArrayBufferWriter<byte> _text = new(PieceBytes);
    private int _at;

    /// <summary>Pairs that were given.</summary>
    public long Pairs { get; private set; }

    /// <summary>The next lines, valid until the next call; empty: that was all.</summary>
    public ReadOnlyMemory<byte> Next()
    {
        _text.ResetWrittenCount();
        ReadOnlySpan<byte> all = run.Bytes.Span;
        while (_at < all.Length && _text.WrittenCount < PieceBytes)
        {
            ReadOnlySpan<byte> here = all[_at..];
            _ = RecordFormat.ReadHead(here, out int keyAt, out int keyLength, out int valueLength);
            _ = PairMaker.TryTurnBack(
                job.Description.Text,
                here.Slice(keyAt, keyLength),
                here.Slice(keyAt + keyLength, valueLength),
                out ReadOnlySpan<byte> key,
                out ReadOnlySpan<byte> value
            );
            _text.Write(key);
            _text.Write(_separator);
            _text.Write(value);
            _text.Write("\n"u8);
            _at += keyAt + keyLength + valueLength;
            Pairs++;
        }

        return _text.WrittenMemory;
    }
}
