using System.Globalization;
using System.Runtime.CompilerServices;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>
/// A file on its way to this server. Pieces go into a file of another name; its SHA-256 is worked out behind them; when
/// it is whole and right it is synced and gets its name, in one step. So the name means the whole file or nothing.
/// Loop only.
/// </summary>
internal sealed class ReceivedFile : IKeeper
{
    // Servers that are named as forgers.
    private const int MostNamed = 4;
    private readonly JobTerms _terms;
    private readonly Job _job;
    private readonly string _part;
    private readonly ParityFile _parity;
    private readonly ForgedPieces _forged;
    private readonly StepSignal _toCheck = new();
    private readonly List<Coordinate> _forgers = [];
    private HashStep? _hash;
    private byte[]? _checkBuffer;
    private long _checked;
    private long _left;
    private bool _isChecking;
    private bool _isRepaired;
    private bool _isNaming;
    private bool _isOver;

    /// <summary>A file of which nothing is here.</summary>
    public ReceivedFile(JobTerms terms, Job job, IMemberLine line)
    {
        (_terms, _job) = (terms, job);
        _part = PartOf(job.Manifest.JobNumber);
        _forged = new ForgedPieces(terms, job, line);
        _parity = new ParityFile(terms, job.Manifest.JobNumber, job.Manifest.Weight);
    }

    /// <summary>The name of what is here of a job's file.</summary>
    public static string PartOf(ulong job) => $"{job:x16}{FileName.Part}";

    /// <summary>Of which job a part is. False: of none.</summary>
    public static bool TryReadPart(string name, out ulong job) =>
        ulong.TryParse(
            name.AsSpan(0, name.Length - FileName.Part.Length),
            NumberStyles.AllowHexSpecifier,
            CultureInfo.InvariantCulture,
            out job
        );

    /// <summary>Where it is.</summary>
    public MemberStage Stage { get; private set; } = MemberStage.Receiving;

    /// <summary>What went wrong, or is waited for; null: nothing.</summary>
    public string? Words { get; private set; }

    /// <summary>Its disk is being asked: what comes of it is not known yet.</summary>
    public bool IsOpening { get; private set; } = true;

    /// <summary>Whether it still may become a file of its name.</summary>
    public bool IsOpen => Stage is MemberStage.Receiving or MemberStage.Checking;

    /// <summary>What is said of a piece to one that it was given to.</summary>
    public OriginAnswer OriginOf(int piece) =>
        _forged.Wrong is not null || Stage != MemberStage.Done
            ? _forged.OriginOf(piece)
            : new OriginAnswer(OriginKind.RightHere, default);

    /// <summary>What is said of it to the source.</summary>
    public MemberReport Report =>
        new(
            Stage,
            Stage == MemberStage.Done ? _job.Manifest.Length
                : Stage == MemberStage.Failed ? 0
                : Math.Min(_job.Manifest.Length, (long)(_job.Kept?.Stored ?? 0) * _job.Manifest.PieceBytes),
            Words
        );

    /// <summary>Begins to receive it.</summary>
    /// <param name="isNameTaken">Another job receives a file of this name.</param>
    public async ValueTask BeginAsync(bool isNameTaken)
    {
        IServerDisk disk = _terms.Server.Disk;
        DiskResult<IDiskFile> target = InTurn(await disk.OpenAsync(_job.Manifest.Name, create: false));
        if (
            target.Value is { } old
            && await WholeFile.IsSameAsync(_terms, _job.Manifest, old)
            && await IsSafeAsync(old)
            && IsOpen
        )
        {
            // It was brought before, by this job or by another.
            (Stage, IsOpening) = (MemberStage.Done, false);
            _job.Kept = new KeptFile(_job, old, null, null, IsThere, this);
            _job.Settle();
            return;
        }

        target.Value?.Close();
        DiskStatus there = _job.Manifest.Replaces && target.IsDone ? DiskStatus.NotFound : target.Status;

        DiskResult<IDiskFile> opened = default;
        if (!isNameTaken && there == DiskStatus.NotFound && !_isOver)
        {
            opened = InTurn(await disk.OpenAsync(_part, create: true));
            there = opened.Status;
            if (opened.Value is { } part && (_left = part.Length) < _job.Manifest.Length)
            {
                // Pieces of zeros are there from the beginning.
                there =
                    _job.Manifest.Zeros.Length > 0 ? await part.SetLengthAsync(_job.Manifest.Length) : DiskStatus.Done;
            }
        }

        string? wrong =
            isNameTaken ? "another job brings a file of this name"
            : opened.Value is null && there == DiskStatus.Done ? "it has another file of this name"
            : there != DiskStatus.Done ? DiskWords.Of(there)
            : null;
        if (wrong is not null || _isOver)
        {
            opened.Value?.Close();
            Fail(wrong ?? "the job has ended");
            if (opened.Value is not null)
            {
                // The job may have ended before it was there.
                await DeleteAsync();
            }

            return;
        }

        await ReceiveAsync(opened.Value!);
    }

    private async ValueTask ReceiveAsync(IDiskFile part)
    {
        PieceSlot[][]? windows;
        while ((windows = MemberWindows.TryRent(_terms, _job, out _checkBuffer)) is null)
        {
            // Others are on their way. Until then this server passes on.
            (IsOpening, Words) = (false, "it waits for memory");
            _job.Settle();
            if (!await _terms.Server.DelayAsync(_terms.Options.Poll) || _isOver)
            {
                part.Close();
                return;
            }
        }

        DiskStatus there = await _parity.OpenAsync(_job.Layout);
        bool[]? here = await FindAsync(part);
        if (here is null || _isOver || there != DiskStatus.Done)
        {
            // The service stops, or the job has ended meanwhile.
            part.Close();
            MemberWindows.Return(_terms, windows);
            EndChecking();
            Fail(DiskWords.Of(there));
            return;
        }

        (IsOpening, Words, _hash) = (false, null, new HashStep(_checkBuffer!));
        _job.Kept = new KeptFile(_job, part, _parity.File, windows, piece => here[piece], this)
        {
            IsFromSource = _isRepaired,
        };
        _job.Kept.Ask();
        _job.Settle();
        OnStored();
        await SyncNowAndThenAsync(_job.Kept);
    }

    // Of a file that is whole.
    private bool IsThere(int piece) => !_job.Layout.IsParity(piece) || _job.IsZero(piece);

    private DiskResult<IDiskFile> InTurn(DiskResult<IDiskFile> opened) =>
        opened.Value is { } file
            ? new(opened.Status, new TurnedFile(file, _terms.Turns, _job.Manifest.Weight))
            : opened;

    // What an earlier run has left of it is believed as far as its sums are right. Null: the service stops.
    private async ValueTask<bool[]?> FindAsync(IDiskFile part)
    {
        bool[] here = [.. Enumerable.Range(0, _job.Layout.All).Select(_job.IsZero)];
        using var step = new HashStep(_checkBuffer!, _job.Manifest.BlockBytes);
        for (int piece = 0; piece < _job.Layout.Pieces && _job.Layout.OffsetOf(piece) < _left && !_isOver; piece++)
        {
            int length = _job.Layout.LengthOf(piece);
            DiskResult<int> read = await part.ReadAsync(_job.Layout.OffsetOf(piece), _checkBuffer.AsMemory(0, length));
            if (read.Status == DiskStatus.Stopped || (read.IsDone && !await step.AddAsync(_terms.Server, length)))
            {
                // It may be in use for good.
                _terms.Windows.Lose(_checkBuffer!);
                _checkBuffer = null;
                return null;
            }

            bool isRight =
                read.IsDone && read.Value == length && _job.AreRight(piece, step.Sums) && _forged.Wrong?[piece] != true;
            _terms.Counters.Resumed.Add(isRight && !here[piece] && !_isRepaired ? 1 : 0);
            here[piece] |= isRight;
        }

        return here;
    }

    // So that a power failure costs little. What goes wrong is found when all is synced.
    private async ValueTask SyncNowAndThenAsync(KeptFile? kept)
    {
        int synced = 0;
        bool isNamed = false;
        while (await _terms.Server.DelayAsync(_terms.Options.SyncEvery) && Stage == MemberStage.Receiving)
        {
            if (kept is not null && kept.Stored != synced)
            {
                int stored = kept.Stored;
                bool isSynced = await kept.File!.SyncAsync() == DiskStatus.Done;
                isNamed = isNamed || (isSynced && await _terms.Server.Disk.SyncAsync() == DiskStatus.Done);
                synced = isSynced ? stored : synced;
            }
        }
    }

    /// <summary>The job has ended. A file that is whole stays; else nothing does.</summary>
    public void Stop()
    {
        _isOver = true;
        _parity.Remove();
        if (IsOpen && !_isNaming)
        {
            Fail("the job has ended");
        }
        else if (!_isChecking)
        {
            EndChecking();
        }
    }

    // The disk fails, or pieces on it are not what they were: nothing is served from it any more.
    void IKeeper.OnFailed(string words)
    {
        if (IsOpen)
        {
            Fail(words);
        }
        else
        {
            _job.Kept?.Stop();
            _job.Kept = null;
        }
    }

    // Who brought it may have been stopped before it was.
    private async ValueTask<bool> IsSafeAsync(IDiskFile file) =>
        await file.SyncAsync() == DiskStatus.Done && await _terms.Server.Disk.SyncAsync() == DiskStatus.Done;

    void IKeeper.Blame(Coordinate server)
    {
        if (!_forgers.Contains(server))
        {
            _forgers.Add(server);
        }
    }

    void IKeeper.OnStored() => OnStored();

    void IKeeper.OnCame(int piece, Coordinate? giver) => _forged.Note(piece, giver);

    private void OnStored()
    {
        if (_isChecking)
        {
            _toCheck.Set();
        }
        else if (IsOpen)
        {
            _isChecking = true;
            _terms.Server.Loop.Run(CheckAsync);
        }
    }

    // Goes on to the end of the file: one method for all pieces.
    private async ValueTask CheckAsync()
    {
        KeptFile kept = _job.Kept!;
        while (IsOpen)
        {
            if (_checked == _job.Manifest.Length)
            {
                await FinishAsync(kept);
                if (_isRepaired && _job.Kept != kept && IsOpen)
                {
                    // Another one goes on.
                    return;
                }
            }
            else if (Ready(kept) == 0)
            {
                await _toCheck.WaitAsync().ConfigureAwait(false);
            }
            else if (!await CheckPartAsync(kept))
            {
                // The disk may still use the buffer.
                return;
            }
        }

        _isChecking = false;
        EndChecking();
    }

    // Bytes behind what is checked that are on disk, as many as are read at once.
    private int Ready(KeptFile kept)
    {
        int first = (int)(_checked / _job.Manifest.PieceBytes),
            next = first;
        long most = Math.Min(_checked + _checkBuffer!.Length, _job.Manifest.Length);
        while (next < _job.Layout.Pieces && _job.Layout.EndOf(next) <= most && kept.IsStored(next))
        {
            next++;
        }

        return next == first ? 0 : (int)(_job.Layout.EndOf(next - 1) - _checked);
    }

    // False: the service stops, and the buffer is lost.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<bool> CheckPartAsync(KeptFile kept)
    {
        int length = Ready(kept);
        DiskResult<int> read;
        do
        {
            read = await kept.File!.ReadAsync(_checked, _checkBuffer.AsMemory(0, length));
        } while (read.Status == DiskStatus.Busy && await _terms.Server.DelayAsync(DiskWords.BusyPause) && IsOpen);

        if (read.Status == DiskStatus.Stopped || !IsOpen)
        {
            return !IsOpen;
        }

        if (!read.IsDone || read.Value != length)
        {
            Fail(read.IsDone ? "its disk lost a piece" : DiskWords.Of(read.Status));
            return true;
        }

        if (!await _hash!.AddAsync(_terms.Server, length))
        {
            _terms.Windows.Lose(_checkBuffer!);
            _checkBuffer = null;
            Fail("its checksum could not be worked out");
            return true;
        }

        _checked += length;
        return true;
    }

    private async ValueTask FinishAsync(KeptFile kept)
    {
        Stage = MemberStage.Checking;
        bool isRight = _hash!.Take().AsSpan().SequenceEqual(_job.Manifest.Hash);
        if (!isRight && !_terms.Mistake.HasFlag(DistributionMistake.NamesUnchecked))
        {
            if (!await RepairAsync(kept))
            {
                Fail(
                    "its SHA-256 is not the file's: "
                        + (_forged.IsOneNamed ? _forged.Words : "somebody forged pieces, or the source's memory fails")
                );
            }

            return;
        }

        IServerDisk disk = _terms.Server.Disk;
        DiskStatus status = await kept.File!.SyncAsync();
        if (status == DiskStatus.Done && !_job.Manifest.Replaces)
        {
            DiskResult<IDiskFile> target = await disk.OpenAsync(_job.Manifest.Name, create: false);
            target.Value?.Close();
            if (target.IsDone)
            {
                Fail("it has another file of this name");
                return;
            }
        }

        if (status == DiskStatus.Done && IsOpen)
        {
            // From here on it may have its name.
            _isNaming = true;
            status = await disk.RenameAsync(_part, _job.Manifest.Name);
            status = status == DiskStatus.Done ? await disk.SyncAsync() : status;
        }

        if (status != DiskStatus.Done)
        {
            Fail(DiskWords.Of(status));
        }
        else if (IsOpen)
        {
            Stage = MemberStage.Done;
            string?[] words =
            [
                _job.Forger is { } forger ? $"a wrong manifest came from {forger}; another was asked" : null,
                _isRepaired ? _forged.Words + ", and were pulled again from the source"
                : _forgers.Count > 0
                    ? $"wrong pieces came from {string.Join(" and ", _forgers.Take(MostNamed))}; they were pulled again"
                : null,
            ];
            Words = Array.Exists(words, static w => w is not null) ? string.Join(". ", words.OfType<string>()) : null;
            _terms.Counters.Received.Add();
        }
    }

    // Pulls again, once, what has the right sums and is wrong, from the source itself. False: that cannot be done.
    private async ValueTask<bool> RepairAsync(KeptFile kept)
    {
        bool canBe = !_isRepaired && !_terms.Mistake.HasFlag(DistributionMistake.ServesUnchecked);
        if (!canBe || !await _forged.FindAsync(kept.File) || !IsOpen)
        {
            return false;
        }

        _isRepaired = true;
        kept.Stop();
        _job.Kept = null;
        EndChecking();
        DiskResult<IDiskFile> opened = InTurn(await _terms.Server.Disk.OpenAsync(_part, create: false));
        if (opened.Value is not { } part || !IsOpen)
        {
            opened.Value?.Close();
            return false;
        }

        (Stage, _checked, _left, _isChecking) = (MemberStage.Receiving, 0, part.Length, false);
        _terms.Server.Loop.Run(() => ReceiveAsync(part));
        return true;
    }

    // What is here of the file is given up; the server goes on to pass it on.
    private void Fail(string words)
    {
        if (!IsOpen)
        {
            return;
        }

        (Stage, Words, IsOpening) = (MemberStage.Failed, words, false);
        _terms.Counters.Failed.Add();
        _job.Kept?.Stop();
        _job.Kept = null;
        _parity.Remove();
        _job.Settle();
        if (_isChecking)
        {
            _toCheck.Set();
        }
        else
        {
            EndChecking();
        }

        if (words != DiskWords.Of(DiskStatus.Stopped))
        {
            _terms.Server.Loop.Run(DeleteAsync);
        }
    }

    private void EndChecking()
    {
        _hash?.Dispose();
        _hash = null;
        if (_checkBuffer is { } buffer)
        {
            _checkBuffer = null;
            _terms.Windows.Return(buffer);
        }
    }

    private async ValueTask DeleteAsync() => await _terms.Server.Disk.DeleteAsync(_part);
}
