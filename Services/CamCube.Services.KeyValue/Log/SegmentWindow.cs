namespace CamCube.Services.KeyValue.Log;

/// <summary>A part of a file in memory that is moved along it; behind the file's end it has zeros.</summary>
/// <param name="ahead">Bytes that are read at once, whole sectors. More is taken only for larger batches.</param>
/// <param name="memory">Where more memory is claimed; null: it is for a moment only.</param>
internal sealed class SegmentWindow(int ahead, LogMemory? memory = null)
{
    /// <summary>Bytes that are read at once unless a batch is larger: so few that the loop does other things in
    /// between.</summary>
    public const int Ahead = 256 << 10;

    private byte[] _bytes = [];
    private IDiskFile? _file;
    private long _at = -1;
    private int _length;

    /// <summary>Makes sure that bytes are here. Whole sectors.</summary>
    public async ValueTask<DiskStatus> MoveTo(IDiskFile file, long offset, int length)
    {
        if (_file == file && _at >= 0 && offset >= _at && offset + length <= _at + _length)
        {
            return DiskStatus.Done;
        }

        (_file, _at) = (file, -1);
        int most = (int)Math.Clamp(Sectors.RoundUp(file.Length - offset), length, Math.Max(length, ahead));
        if (_bytes.Length < most)
        {
            memory?.Owe(most - Math.Max(_bytes.Length, ahead));
            _bytes = new byte[most];
        }

        Memory<byte> part = _bytes.AsMemory(0, most);
        DiskResult<int> read = await file.ReadAsync(offset, part).ConfigureAwait(true);
        if (read.IsDone)
        {
            part.Span[read.Value..].Clear();
            (_at, _length) = (offset, most);
        }

        return read.Status;
    }

    /// <summary>Bytes that are here.</summary>
    public ReadOnlySpan<byte> Span(long offset, int length) => _bytes.AsSpan((int)(offset - _at), length);
}
