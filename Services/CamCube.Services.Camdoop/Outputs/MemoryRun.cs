using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Outputs;

/// <summary>A run in memory. Loop only.</summary>
/// <param name="run">The run.</param>
/// <param name="claim">What its bytes are counted in.</param>
internal sealed class MemoryRun(SortedRun run, IMemoryClaim claim) : KeptRun
{
    private bool _isReleased;

    /// <inheritdoc/>
    public override IRecordRun? Open(int group, MergePosition position, Action more)
    {
        Range range = run.RangeOf(group);
        if (range.Equals(default))
        {
            return null;
        }

        var cursor = new Cursor(run.Bytes[range]);
        while (cursor.TryPeek(out ReadOnlySpan<byte> key, out _) && IsBefore(key, position))
        {
            cursor.Take();
        }

        return cursor;
    }

    /// <inheritdoc/>
    public override long Length => run.Bytes.Length;

    /// <inheritdoc/>
    public override void AddSizes(Span<long> sizes) => run.AddSizes(sizes, run.Bytes.Length);

    /// <inheritdoc/>
    public override void Release()
    {
        if (!_isReleased)
        {
            _isReleased = true;
            claim.Shrink(Math.Min(run.Bytes.Length, claim.Bytes));
        }
    }

    private sealed class Cursor(ReadOnlyMemory<byte> records) : IRecordRun
    {
        private int _at;
        private int _next;

        public bool IsOver => _at >= records.Length;

        public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
        {
            if (_at >= records.Length)
            {
                key = value = default;
                return false;
            }

            ReadOnlySpan<byte> here = records.Span[_at..];
            _ = RecordFormat.ReadHead(here, out int keyAt, out int keyLength, out int valueLength);
            key = here.Slice(keyAt, keyLength);
            value = here.Slice(keyAt + keyLength, valueLength);
            _next = _at + keyAt + keyLength + valueLength;
            return true;
        }

        public void Take() => _at = _next;

        public void Dispose() => _at = records.Length;
    }
}
