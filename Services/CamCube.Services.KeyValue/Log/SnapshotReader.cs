using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>Reads what is in a snapshot, in its order; while a block is looked at the next one is read. Loop only.
/// </summary>
/// <param name="file">The file.</param>
/// <param name="log">The log.</param>
/// <param name="number">The number of the snapshot.</param>
internal sealed class SnapshotReader(IDiskFile file, LogIdentity log, uint number)
{
    private byte[] _block = new byte[SnapshotFormat.BlockBytes];
    private byte[] _next = new byte[SnapshotFormat.BlockBytes];
    private readonly byte[] _small = new byte[sizeof(ulong)];
    private Task<DiskResult<int>>? _task;
    private long _at = Sectors.Size;
    private int _from;
    private int _to;

    /// <summary>Bytes that are left, at most.</summary>
    public long Left => file.Length - _at + (_to - _from);

    /// <summary>Whether it is at its end.</summary>
    public bool IsAtEnd => _from == _to && _at == file.Length;

    /// <summary>Reads the next bytes. False: it is not as it was written, or there are no more.</summary>
    public async ValueTask<bool> Read(Memory<byte> into)
    {
        while (into.Length > 0)
        {
            if (_from == _to && !await MoveNext().ConfigureAwait(true))
            {
                return false;
            }

            int part = Math.Min(into.Length, _to - _from);
            _block.AsSpan(_from, part).CopyTo(into.Span);
            into = into[part..];
            _from += part;
        }

        return true;
    }

    /// <summary>Reads a number; null as above.</summary>
    public async ValueTask<uint?> ReadUInt() =>
        await Read(_small.AsMemory(0, sizeof(uint))).ConfigureAwait(true) ? ReadUInt32LittleEndian(_small) : null;

    /// <summary>Reads how many things of a size follow; null if there are not so many.</summary>
    public async ValueTask<int?> ReadCount(int size) =>
        await ReadUInt().ConfigureAwait(true) is { } count && count * (long)size <= Left ? (int)count : null;

    /// <summary>Reads places; null: there are not so many.</summary>
    public async ValueTask<LogLocation[]?> ReadLocations()
    {
        if (await ReadCount(LocationBytes).ConfigureAwait(true) is not { } count)
        {
            return null;
        }

        byte[] bytes = new byte[count * LocationBytes];
        if (!await Read(bytes).ConfigureAwait(true))
        {
            return null;
        }

        var locations = new LogLocation[count];
        for (int i = 0; i < count; i++)
        {
            locations[i] = LocationIn(bytes.AsSpan(i * LocationBytes));
        }

        return locations;
    }

    /// <summary>Bytes of a place.</summary>
    public const int LocationBytes = 12;

    /// <summary>A place as <see cref="SnapshotWriter.Add(LogLocation)"/> writes it.</summary>
    public static LogLocation LocationIn(ReadOnlySpan<byte> bytes) =>
        new(ReadUInt32LittleEndian(bytes), ReadUInt32LittleEndian(bytes[4..]), ReadInt32LittleEndian(bytes[8..]));

    /// <summary>Nothing is read any more.</summary>
    public async ValueTask End()
    {
        if (_task is not null)
        {
            await _task.ConfigureAwait(true);
            _task = null;
        }
    }

    private async ValueTask<bool> MoveNext()
    {
        DiskResult<int> read = await (_task ?? Begin()).ConfigureAwait(true);
        _task = null;
        if (
            !read.IsDone
            || !SnapshotFormat.IsRight(_next.AsSpan(0, read.Value), log, number, _at)
            || read.Value == SnapshotFormat.BlockHead
        )
        {
            return false;
        }

        (_block, _next) = (_next, _block);
        (_from, _to) = (SnapshotFormat.BlockHead, read.Value);
        _at += read.Value;
        _task = _at < file.Length ? Begin() : null;
        return true;
    }

    private Task<DiskResult<int>> Begin() => file.ReadAsync(_at, _next).AsTask();
}
