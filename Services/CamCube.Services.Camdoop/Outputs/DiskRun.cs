using System.IO.Hashing;
using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Outputs;

/// <summary>A run in a file of the server's disk, with a CRC-32 of each block in memory: what a disk gives back may be
/// wrong. Loop only.</summary>
internal sealed class DiskRun : KeptRun
{
    /// <summary>Bytes of a block: the least that is read.</summary>
    public const int BlockBytes = 16 << 10;

    private const int WriteBytes = 1 << 20;
    private readonly IServer _server;
    private readonly IDiskFile _file;
    private readonly long _length;
    private readonly SortedRun _index;
    private readonly uint[] _sums;
    private readonly Action<string> _onBroken;
    private bool _isReleased;

    private DiskRun(IServer server, IDiskFile file, long length, SortedRun index, uint[] sums, Action<string> onBroken)
    {
        (_server, _file, _length, _index, _sums, _onBroken) = (server, file, length, index, sums, onBroken);
    }

    /// <summary>Writes a run.</summary>
    /// <param name="server">The server.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="run">The run.</param>
    /// <param name="onBroken">Told in words when it cannot be read back.</param>
    public static async ValueTask<(DiskStatus Status, DiskRun? Run)> WriteAsync(
        IServer server,
        string name,
        SortedRun run,
        Action<string> onBroken
    )
    {
        DiskResult<IDiskFile> opened = await server.Disk.OpenAsync(name, create: true);
        if (opened.Value is not { } file)
        {
            return (opened.Status, null);
        }

        uint[] sums = new uint[(run.Bytes.Length + BlockBytes - 1) / BlockBytes];
        for (int i = 0; i < sums.Length; i++)
        {
            ReadOnlySpan<byte> rest = run.Bytes.Span[(i * BlockBytes)..];
            sums[i] = Crc32.HashToUInt32(rest[..Math.Min(BlockBytes, rest.Length)]);
        }

        for (int at = 0; at < run.Bytes.Length; at += WriteBytes)
        {
            ReadOnlyMemory<byte> piece = run.Bytes.Slice(at, Math.Min(WriteBytes, run.Bytes.Length - at));
            DiskStatus written = await file.WriteAsync(at, piece);
            if (written != DiskStatus.Done)
            {
                file.Close();
                await server.Disk.DeleteAsync(name);
                return (written, null);
            }
        }

        // The groups are small; the bytes are on the disk now.
        return (DiskStatus.Done, new DiskRun(server, file, run.Bytes.Length, run.WithoutBytes(), sums, onBroken));
    }

    /// <inheritdoc/>
    public override IRecordRun? Open(int group, MergePosition position, Action more)
    {
        (long from, long to) = _index.OffsetsOf(group, _length);
        return from == to ? null : new Cursor(this, from, to, position, more);
    }

    /// <inheritdoc/>
    public override long Length => _length;

    /// <inheritdoc/>
    public override void AddSizes(Span<long> sizes) => _index.AddSizes(sizes, _length);

    /// <inheritdoc/>
    public override void Release()
    {
        if (!_isReleased)
        {
            _isReleased = true;
            string name = _file.Name;
            _file.Close();
            _server.Loop.Run(async () => await _server.Disk.DeleteAsync(name));
        }
    }

    private bool IsRight(int block, ReadOnlySpan<byte> bytes) => Crc32.HashToUInt32(bytes) == _sums[block];

    private sealed class Cursor : IRecordRun
    {
        private const int ReadBlocks = 4;
        private readonly DiskRun _run;
        private readonly MergePosition _position;
        private readonly Action _more;
        private readonly long _end;
        private byte[] _buffer = new byte[BlockBytes];
        private int _at;
        private int _length;
        private int _next;
        private long _read;
        private bool _isReading;
        private bool _isOver;
        private bool _hasBegun;

        public Cursor(DiskRun run, long from, long to, MergePosition position, Action more)
        {
            (_run, _position, _more, _end) = (run, position, more, to);
            _read = from / BlockBytes * BlockBytes;
            _at = (int)(from - _read);
            Read();
        }

        public bool IsOver => _isOver || (_at == _length && _read >= _end && !_isReading && _hasBegun);

        public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
        {
            key = value = default;
            while (!_isOver && !_isReading)
            {
                ReadOnlySpan<byte> here = _buffer.AsSpan(_at, Math.Max(0, _length - _at));
                int head = RecordFormat.ReadHead(here, out int keyAt, out int keyLength, out int valueLength);
                long whole = (long)keyAt + keyLength + valueLength;
                if (head <= 0 || here.Length < whole)
                {
                    if (_read < _end)
                    {
                        Read();
                    }

                    return false;
                }

                key = here.Slice(keyAt, keyLength);
                value = here.Slice(keyAt + keyLength, valueLength);
                _next = _at + (int)whole;
                if (!IsBefore(key, _position))
                {
                    return true;
                }

                Take();
            }

            key = value = default;
            return false;
        }

        public void Take() => _at = _next;

        public void Dispose()
        {
            _isOver = true;
            _buffer = [];
        }

        private void Read()
        {
            _isReading = true;
            _run._server.Loop.Run(ReadAsync);
        }

        private async ValueTask ReadAsync()
        {
            // What is left of the record that is not whole goes to the front.
            int left = Math.Max(0, _length - _at);
            long ends = Math.Min(_run._length, (_end + BlockBytes - 1) / BlockBytes * BlockBytes);
            int count = (int)Math.Min(ReadBlocks * BlockBytes, ends - _read);
            byte[] buffer = left + count > _buffer.Length ? new byte[left + count] : _buffer;
            if (left > 0)
            {
                _buffer.AsSpan(_at, left).CopyTo(buffer);
            }

            int skip = _length == 0 ? _at : 0;
            (_buffer, _at, _length) = (buffer, skip, left);
            DiskResult<int> read = await _run._file.ReadAsync(_read, buffer.AsMemory(left, count));
            if (_isOver)
            {
                return;
            }

            if (read.Value != count || !AreRight(buffer.AsSpan(left, count)))
            {
                // Its consumer waits until the task has been done again somewhere.
                _run._onBroken(read.IsDone ? "what was read is not what was written" : $"{read.Status}");
                return;
            }

            _read += count;
            _length = left + count;
            (_isReading, _hasBegun) = (false, true);
            if (_read >= _end)
            {
                _length -= (int)(_read - _end);
            }

            _more();
        }

        private bool AreRight(ReadOnlySpan<byte> bytes)
        {
            for (int i = 0; i < bytes.Length; i += BlockBytes)
            {
                int block = (int)((_read + i) / BlockBytes);
                if (!_run.IsRight(block, bytes.Slice(i, Math.Min(BlockBytes, bytes.Length - i))))
                {
                    return false;
                }
            }

            return true;
        }
    }
}
