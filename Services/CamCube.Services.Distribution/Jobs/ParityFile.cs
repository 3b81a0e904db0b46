using CamCube.Services.Distribution.Coding;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>
/// The pieces of parity of a job's file, in a file beside it for as long as the job is known: of its source, which
/// makes them while it reads the file, and of members, which serve them to others. What an earlier run had of it is
/// not used. Loop only.
/// </summary>
/// <param name="terms">What all jobs have in common.</param>
/// <param name="job">The job's number.</param>
/// <param name="weight">Its weight.</param>
internal sealed class ParityFile(JobTerms terms, ulong job, int weight)
{
    private IDiskFile? _file;
    private bool _isRemoved;
    private PieceLayout _layout;
    private byte[] _p = [];
    private byte[] _q = [];

    /// <summary>The file; null: there is none.</summary>
    public IDiskFile? File => _file;

    /// <summary>CRC32C of each block of what was added.</summary>
    public List<uint> Sums { get; } = [];

    private string Name => $"{job:x16}{FileName.Parity}";

    /// <summary>Begins it, empty.</summary>
    /// <param name="layout">Pieces of the job's file; without a code there is nothing to do.</param>
    public async ValueTask<DiskStatus> OpenAsync(PieceLayout layout)
    {
        _layout = layout;
        if (layout.Code == 0)
        {
            return DiskStatus.Done;
        }

        DiskResult<IDiskFile> opened = await terms.Server.Disk.OpenAsync(Name, create: true);
        if (opened.Value is not { } file)
        {
            return opened.Status;
        }

        if (_isRemoved)
        {
            // The job ended before it was there.
            file.Close();
            await terms.Server.Disk.DeleteAsync(Name);
            return DiskStatus.Stopped;
        }

        _file = new TurnedFile(file, terms.Turns, weight);
        return await _file.SetLengthAsync(0);
    }

    /// <summary>Adds the next piece of the job's file, in order; behind the last of a group its parity is
    /// written.</summary>
    public async ValueTask<DiskStatus> AddAsync(int piece, ReadOnlyMemory<byte> bytes)
    {
        if (_file is null)
        {
            return DiskStatus.Done;
        }

        int tree = _layout.TreeOf(piece),
            group = _layout.NumberOf(piece),
            length = _layout.ParityLength(group);
        if (_p.Length == 0)
        {
            // For as long as the file is read, once for each job.
            (_p, _q) = (new byte[_layout.PieceBytes], _layout.Code > 1 ? new byte[_layout.PieceBytes] : []);
        }

        if (tree == 0)
        {
            _p.AsSpan().Clear();
            _q.AsSpan().Clear();
        }

        GroupCode.Add(
            tree,
            _layout.DataTrees,
            bytes.Span,
            _p.AsSpan(0, length),
            _q.AsSpan(0, _q.Length > 0 ? length : 0)
        );
        if (tree < _layout.DataTrees - 1 && piece < _layout.Pieces - 1)
        {
            return DiskStatus.Done;
        }

        DiskStatus status = DiskStatus.Done;
        for (int i = 0; i < _layout.Code && status == DiskStatus.Done; i++)
        {
            ReadOnlyMemory<byte> parity = (i == 0 ? _p : _q).AsMemory(0, length);
            for (int at = 0; at < length; at += _layout.BlockBytes)
            {
                Sums.Add(Wire.PieceSum.Of(parity.Span[at..Math.Min(at + _layout.BlockBytes, length)]));
            }

            long offset = _layout.OffsetOf(_layout.PieceOf(_layout.DataTrees + i, group));
            do
            {
                status = await _file.WriteAsync(offset, parity);
            } while (status == DiskStatus.Busy && await terms.Server.DelayAsync(DiskWords.BusyPause));
        }

        return status;
    }

    /// <summary>Reads all of the job's file, and makes its parity.</summary>
    /// <param name="file">The file.</param>
    /// <param name="buffer">Room for a piece.</param>
    public async ValueTask<DiskStatus> MakeAsync(IDiskFile file, Memory<byte> buffer)
    {
        DiskStatus status = DiskStatus.Done;
        for (int piece = 0; piece < _layout.Pieces && status == DiskStatus.Done && _file is not null; piece++)
        {
            Memory<byte> bytes = buffer[.._layout.LengthOf(piece)];
            DiskResult<int> read;
            do
            {
                read = await file.ReadAsync(_layout.OffsetOf(piece), bytes);
            } while (read.Status == DiskStatus.Busy && await terms.Server.DelayAsync(DiskWords.BusyPause));

            status = read.IsDone ? await AddAsync(piece, bytes) : read.Status;
        }

        return status;
    }

    /// <summary>The job has ended here. Whoever has the file open goes on until it is closed.</summary>
    public void Remove()
    {
        _isRemoved = true;
        if (_file is { } file)
        {
            _file = null;
            file.Close();
            terms.Server.Loop.Run(async () => await terms.Server.Disk.DeleteAsync(Name));
        }
    }
}
