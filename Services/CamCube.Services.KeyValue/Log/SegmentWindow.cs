namespace CamCube.Services.KeyValue.Log;

/// <summary>A part of a file in memory that is moved along it; behind the file's end it has zeros.</summary>
/// <param name="file">The file.</param>
/// <param name="bytes">Where the part lies.</param>
internal sealed class SegmentWindow(IDiskFile file, byte[] bytes)
{
    private long _at = -1;
    private int _length;

    /// <summary>Makes sure that bytes are here. Whole sectors, at most the capacity.</summary>
    public async ValueTask<DiskStatus> MoveTo(long offset, int length)
    {
        if (_at >= 0 && offset >= _at && offset + length <= _at + _length)
        {
            return DiskStatus.Done;
        }

        _at = -1;
        int most = (int)Math.Clamp(Sectors.RoundUp(file.Length - offset), length, bytes.Length);
        Memory<byte> part = bytes.AsMemory(0, most);
        DiskResult<int> read = await file.ReadAsync(offset, part).ConfigureAwait(true);
        if (read.IsDone)
        {
            part.Span[read.Value..].Clear();
            (_at, _length) = (offset, most);
        }

        return read.Status;
    }

    /// <summary>Bytes that are here.</summary>
    public ReadOnlySpan<byte> Span(long offset, int length) => bytes.AsSpan((int)(offset - _at), length);
}
