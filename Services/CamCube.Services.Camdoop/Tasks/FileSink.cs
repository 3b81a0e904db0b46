using System.Buffers;
using System.Text;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Writes lines into a file of the output. See <see cref="MapSink"/> for threads.</summary>
/// <param name="writer">The file.</param>
/// <param name="separator">What is between key and value.</param>
internal sealed class FileSink(OutputFile writer, string separator) : MapSink
{
    private readonly ArrayBufferWriter<byte> _text = new(64 << 10);
    private readonly byte[] _separator = Encoding.UTF8.GetBytes(separator);

    /// <inheritdoc/>
    public override string? Wrong => null;

    /// <inheritdoc/>
    public override void Pair(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        _text.Write(key);
        if (!value.IsEmpty)
        {
            _text.Write(_separator);
            _text.Write(value);
        }

        _text.Write("\n"u8);
    }

    /// <inheritdoc/>
    public override void Text(ReadOnlySpan<byte> text) => _text.Write(text);

    /// <inheritdoc/>
    public override void Complete() { }

    /// <inheritdoc/>
    public override async ValueTask<SinkEnd?> FlushAsync()
    {
        SinkEnd? end = _text.WrittenCount > 0 ? await writer.WriteAsync(_text.WrittenMemory) : null;
        _text.ResetWrittenCount();
        return end;
    }

    /// <inheritdoc/>
    public override void Dispose() { }

    /// <summary>What becomes of an attempt whose file cannot be written; null: it can.</summary>
    public static SinkEnd? EndOf(FileStatus status) =>
        status switch
        {
            FileStatus.Done => null,
            FileStatus.Unavailable or FileStatus.DataAway or FileStatus.Unknown or FileStatus.Busy => new(
                "the file store does not answer now",
                IsInnocent: true
            ),
            FileStatus.Full => new("the disks of the file store are full", IsInnocent: false),
            FileStatus.OverQuota => new("the file store's quota is used up", IsInnocent: false),
            FileStatus.TooLarge => new("the output is longer than a file may be", IsInnocent: false),
            FileStatus.Exists => new("there is such a file already, with other bytes", IsInnocent: false),
            _ => new($"the output cannot be written: {status}", IsInnocent: false),
        };
}
