using System.Runtime.InteropServices;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>Writes what is in a snapshot: bytes gather in blocks, and full ones go to the disk together. Loop only.
/// </summary>
/// <param name="server">Whose.</param>
/// <param name="file">The file, empty.</param>
/// <param name="log">The log.</param>
/// <param name="number">The number of the snapshot.</param>
internal sealed class SnapshotWriter(IServer server, IDiskFile file, LogIdentity log, uint number)
{
    private readonly Stack<byte[]> _spare = [];
    private List<ReadOnlyMemory<byte>> _full = [];
    private List<ReadOnlyMemory<byte>> _writing = [];
    private byte[] _block = [];
    private int _length;
    private long _sealed = Sectors.Size;
    private long _written = Sectors.Size;
    private Task<DiskStatus>? _task;
    private IMemoryClaim? _claim;

    /// <summary>Bytes of the file, once all is written.</summary>
    public long Length => _sealed;

    /// <summary>There is no memory for it.</summary>
    public bool IsShort { get; private set; }

    /// <summary>Bytes that were added since the last flush.</summary>
    public long Added { get; private set; }

    /// <summary>Adds bytes, which are copied.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        Added += bytes.Length;
        while (!bytes.IsEmpty)
        {
            if (_block.Length == _length)
            {
                SealBlock();
                (_block, _length) = (Rent(), SnapshotFormat.BlockHead);
            }

            int part = Math.Min(bytes.Length, _block.Length - _length);
            bytes[..part].CopyTo(_block.AsSpan(_length));
            bytes = bytes[part..];
            _length += part;
        }
    }

    public void Add(uint number)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        WriteUInt32LittleEndian(bytes, number);
        Add(bytes);
    }

    public void Add(ulong number)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        WriteUInt64LittleEndian(bytes, number);
        Add(bytes);
    }

    public void Add(LogLocation location)
    {
        Add(location.Segment);
        Add(location.Offset);
        Add((uint)location.Length);
    }

    /// <summary>Waits for what is on its way to the disk, and sends what is full.</summary>
    public async ValueTask<DiskStatus> Flush()
    {
        Added = 0;
        DiskStatus status = await Written().ConfigureAwait(true);
        if (status == DiskStatus.Done && _full.Count > 0)
        {
            (_full, _writing) = (_writing, _full);
            _task = file.GatherAsync(_written, _writing).AsTask();
            _written = _sealed;
        }

        return IsShort ? DiskStatus.Busy : status;
    }

    /// <summary>All was added: the rest goes to the disk.</summary>
    public async ValueTask<DiskStatus> End()
    {
        SealBlock();
        DiskStatus status = await Flush().ConfigureAwait(true);
        return status == DiskStatus.Done ? await Written().ConfigureAwait(true) : status;
    }

    /// <summary>Waits for what is on its way, and gives the memory back.</summary>
    public async ValueTask Close()
    {
        await Written().ConfigureAwait(true);
        _claim?.Release();
    }

    private async ValueTask<DiskStatus> Written()
    {
        if (_task is null)
        {
            return DiskStatus.Done;
        }

        DiskStatus status = await _task.ConfigureAwait(true);
        _task = null;
        foreach (ReadOnlyMemory<byte> block in _writing)
        {
            if (MemoryMarshal.TryGetArray(block, out ArraySegment<byte> array))
            {
                _spare.Push(array.Array!);
            }
        }

        _writing.Clear();
        return status;
    }

    private void SealBlock()
    {
        if (_length > 0)
        {
            SnapshotFormat.Seal(_block.AsSpan(0, _length), log, number, _sealed);
            _full.Add(_block.AsMemory(0, _length));
            _sealed += _length;
            (_block, _length) = ([], 0);
        }
    }

    private byte[] Rent()
    {
        if (_spare.TryPop(out byte[]? spare))
        {
            return spare;
        }

        IsShort |= _claim is null
            ? !server.Memory.TryClaim("snapshot", SnapshotFormat.BlockBytes, out _claim)
            : !_claim.TryGrow(SnapshotFormat.BlockBytes);
        return GC.AllocateUninitializedArray<byte>(SnapshotFormat.BlockBytes);
    }
}
