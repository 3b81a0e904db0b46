using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>
/// A job at its source. The file is read once, for its sums; then its members are told, and asked how far they are,
/// until each has it or cannot have it. Members that are lost are waited for a while. Loop only.
/// </summary>
internal sealed class SentFile : IKeeper
{
    // A member that has the file hears of the job so many times before it would give it up.
    private const int KeptTimes = 8;
    private readonly JobTerms _terms;
    private readonly IMemberLine _line;
    private readonly SourceJournal _journal;
    private readonly DistributionRequest _request;
    private readonly IDiskFile _file;
    private readonly long _beganNanos;
    private readonly SentMember[] _members;
    private readonly List<uint> _sums = [];
    private readonly ParityFile _parity;
    private Job? _job;
    private ManifestWays? _ways;
    private long _length;
    private long _endedNanos;

    /// <summary>A job that has not begun.</summary>
    /// <param name="terms">What all jobs have in common.</param>
    /// <param name="line">How members are spoken to.</param>
    /// <param name="number">The job's number.</param>
    /// <param name="request">What is to be sent to whom.</param>
    /// <param name="file">The file.</param>
    public SentFile(JobTerms terms, IMemberLine line, ulong number, DistributionRequest request, IDiskFile file)
    {
        (_terms, _line, Number, _request, _file) = (
            terms,
            line,
            number,
            request,
            new TurnedFile(file, terms.Turns, request.Weight)
        );
        _parity = new ParityFile(terms, number, request.Weight);
        _journal = new SourceJournal(terms.Server.Disk);
        _beganNanos = terms.Server.NowNanos;
        TorusShape shape = terms.Server.Shape;
        IEnumerable<Coordinate> members =
            request.To.Count > 0 ? request.To.OrderBy(shape.RankOf) : Enumerable.Range(0, shape.Count).Select(shape.At);
        _members = [.. members.Select(static member => new SentMember(member))];
    }

    /// <summary>The job's number.</summary>
    public ulong Number { get; }

    /// <summary>Its trees; null: it is not that far.</summary>
    public TreePlan? Plan => _job?.Plan;

    /// <summary>Where it is.</summary>
    public DistributionStage Stage { get; private set; }

    /// <summary>What went wrong; null: nothing.</summary>
    public string? Words { get; private set; }

    /// <summary>Whether it goes on.</summary>
    public bool IsRunning => Stage is DistributionStage.Preparing or DistributionStage.Running;

    /// <summary>How far it is.</summary>
    public DistributionState State
    {
        get
        {
            long now = IsRunning ? _terms.Server.NowNanos : _endedNanos;
            return new DistributionState(
                Number,
                _request.As ?? _request.File,
                Stage,
                Words,
                _length,
                Since(now),
                _job?.Plan.Trees ?? 0,
                [
                    .. _members.Select(m => new DistributionMember(
                        m.Server,
                        m.Stage,
                        m.Bytes,
                        Since(m.IsOver ? m.EndedNanos : now),
                        m.Words
                    )),
                ]
            );
        }
    }

    /// <summary>Does all of it.</summary>
    public async ValueTask RunAsync()
    {
        if (await PrepareAsync() is not { } manifest)
        {
            _file.Close();
            _parity.Remove();
            return;
        }

        _job = new Job(_terms, manifest, ManifestFormat.Write(manifest));
        await _journal.WriteAsync(_job, _request.File);
        await GoOnAsync();
    }

    /// <summary>Goes on with a job of an earlier run.</summary>
    /// <param name="manifest">What was known of it.</param>
    /// <param name="bytes">The same as it travels.</param>
    public async ValueTask ResumeAsync(Manifest manifest, byte[] bytes)
    {
        _length = manifest.Length;
        var job = new Job(_terms, manifest, bytes);
        if (job.Layout.Code > 0)
        {
            DiskStatus status = await _parity.OpenAsync(job.Layout);
            if (await RentAsync(manifest.PieceBytes) is not { } buffer)
            {
                return;
            }

            status = status == DiskStatus.Done ? await _parity.MakeAsync(_file, buffer) : status;
            if (status == DiskStatus.Stopped)
            {
                // The disk may use it for good.
                _terms.Transit.Lose(buffer);
                return;
            }

            _terms.Transit.Return(buffer);
            if (status != DiskStatus.Done)
            {
                Fail(DiskWords.Of(status));
            }
        }

        _job = job;
        await GoOnAsync();
    }

    private async ValueTask GoOnAsync()
    {
        _ways = new ManifestWays(_terms.Server, _job!.Digest, _job.Plan);
        _job.Hashes = new PieceHashes(_terms, _job.Layout, _file);
        _job.Kept = new KeptFile(_job, _file, _parity.File, null, null, this);
        _line.Know(_job);
        if (IsRunning)
        {
            Stage = DistributionStage.Running;
        }

        foreach (SentMember member in _members)
        {
            member.HeardNanos = _terms.Server.NowNanos;
            if (member.Server == _terms.Server.Coordinate)
            {
                member.Report(new MemberReport(MemberStage.Done, _length, null), _terms.Server.NowNanos);
            }
        }

        // Nearest first: they give the manifest to those behind them. Who passes on only is told once, so that it need
        // not ask what it is.
        foreach (Coordinate server in _ways!.NearestFirst())
        {
            if (Array.Find(_members, m => m.Server == server) is { } member)
            {
                _terms.Server.Loop.Run(() => FollowAsync(member));
            }
            else if (_terms.Server.Topology.IsReachable(server))
            {
                _terms.Server.Loop.Run(async () => await BeginAsync(server));
            }
        }

        await AwaitMembersAsync();
        if (!IsRunning)
        {
            // First this, or it might go on after it was said to have ended.
            await _journal.RemoveAsync(Number);
            End();
        }
    }

    /// <summary>Ends it from outside. False: it has ended.</summary>
    public bool Cancel()
    {
        bool wasRunning = IsRunning;
        EndAs(DistributionStage.Cancelled, null);
        return wasRunning;
    }

    void IKeeper.OnStored() { }

    void IKeeper.OnCame(int piece, Coordinate? giver) { }

    void IKeeper.Blame(Coordinate server) { }

    void IKeeper.OnFailed(string words) => Fail(words);

    private TimeSpan Since(long nanos) => TimeSpan.FromMicroseconds((nanos - _beganNanos) / 1_000);

    private void Fail(string words) => EndAs(DistributionStage.Failed, words);

    private void EndAs(DistributionStage stage, string? words)
    {
        if (IsRunning)
        {
            (Stage, Words, _endedNanos) = (stage, words, _terms.Server.NowNanos);
        }
    }

    // Null: it cannot be read, or the service stops, or it was cancelled.
    private async ValueTask<Manifest?> PrepareAsync()
    {
        int pieceBytes = _terms.Options.PieceBytes;
        _length = _file.Length;
        if (await RentAsync(pieceBytes) is not { } buffer)
        {
            return null;
        }

        int blockBytes = Math.Min(pieceBytes, _terms.Options.BlockBytes),
            trees = TreePlan.CountOf(_terms.Server.Shape, (TreeKind)_request.Trees);
        DiskStatus status = await _parity.OpenAsync(
            new PieceLayout(_length, pieceBytes, blockBytes, trees, _request.Code)
        );
        if (status != DiskStatus.Done)
        {
            Fail(DiskWords.Of(status));
        }

        byte[] zeros = new byte[(Manifest.PiecesOf(_length, pieceBytes) + 7) / 8];
        using var hash = new HashStep(buffer, blockBytes);
        long offset = 0;
        while (offset < _length && IsRunning)
        {
            int length = (int)Math.Min(pieceBytes, _length - offset);
            DiskResult<int> read = await _file.ReadAsync(offset, buffer.AsMemory(0, length));
            if (read.Status == DiskStatus.Busy && await _terms.Server.DelayAsync(DiskWords.BusyPause))
            {
                continue;
            }

            if (!read.IsDone || read.Value != length)
            {
                Fail(read.IsDone ? "the file became shorter while it was read" : DiskWords.Of(read.Status));
                break;
            }

            if (!await hash.AddAsync(_terms.Server, length))
            {
                // The buffer may be in use still.
                _terms.Transit.Lose(buffer);
                Fail("its checksum could not be worked out");
                return null;
            }

            _sums.AddRange(hash.Sums);
            int piece = (int)(offset / pieceBytes);
            zeros[piece >> 3] |= (byte)(hash.IsZero ? 1 << (piece & 7) : 0);
            offset += length;
            status = await _parity.AddAsync(piece, buffer.AsMemory(0, length));
            if (status != DiskStatus.Done)
            {
                Fail(DiskWords.Of(status));
            }
        }

        _terms.Transit.Return(buffer);
        return !IsRunning
            ? null
            : new Manifest
            {
                JobNumber = Number,
                Source = _terms.Server.Coordinate,
                Name = _request.As ?? _request.File,
                Replaces = _request.Replaces,
                Length = _length,
                PieceBytes = pieceBytes,
                BlockBytes = blockBytes,
                Kind = (TreeKind)_request.Trees,
                Code = _request.Code,
                Weight = _request.Weight,
                Limit = _request.Limit ?? 0,
                Zeros = zeros.AsSpan().ContainsAnyExcept((byte)0) ? zeros : [],
                Hash = hash.Take(),
                Members = Manifest.BitsOf(_request.To, _terms.Server.Shape),
                Sums = [.. _sums, .. _parity.Sums],
            };
    }

    // Null: the service stops, or the job was cancelled.
    private async ValueTask<byte[]?> RentAsync(int length)
    {
        byte[]? buffer;
        while ((buffer = _terms.Transit.TryRent(length)) is null)
        {
            if (!await _terms.Server.DelayAsync(DiskWords.BusyPause) || !IsRunning)
            {
                return null;
            }
        }

        return buffer;
    }

    private ValueTask<MemberReport?> BeginAsync(Coordinate server) =>
        _line.AskAsync(Number, DistributionKind.Begin, _ways!.NoticeTo(server).Write(), server);

    private async ValueTask FollowAsync(SentMember member)
    {
        // Who has the file is asked, too, now and then: it serves others for as long as it hears of the job, and if it
        // was started again it has to be told anew.
        bool isTold = false;
        while (IsRunning)
        {
            if (_terms.Server.Topology.IsReachable(member.Server))
            {
                MemberReport? said = isTold
                    ? await _line.AskAsync(Number, DistributionKind.Poll, default, member.Server)
                    : await BeginAsync(member.Server);
                if (!IsRunning)
                {
                    // What is said of the job stays as it ended.
                    return;
                }

                if (said is { } report)
                {
                    member.Report(report, _terms.Server.NowNanos);
                    isTold = report.Stage != MemberStage.Waiting;
                }
                else if (
                    !member.IsOver
                    && _terms.Server.NowNanos - member.HeardNanos > _terms.Options.Silence.TotalNanoseconds
                )
                {
                    member.Lose("it does not answer");
                }
            }
            else if (!member.IsOver)
            {
                member.Lose("its server is lost");
            }

            TimeSpan pause = member.IsOver ? _terms.Options.KeepTime / KeptTimes : _terms.Options.Poll;
            if (!await _terms.Server.DelayAsync(pause))
            {
                return;
            }
        }
    }

    private async ValueTask AwaitMembersAsync()
    {
        long lostFrom = 0;
        while (IsRunning)
        {
            bool isOver = Array.TrueForAll(_members, static m => m.IsOver),
                waits = !isOver && Array.TrueForAll(_members, static m => m.IsOver || m.Stage == MemberStage.Lost);
            long now = _terms.Server.NowNanos;
            lostFrom =
                !waits ? 0
                : lostFrom == 0 ? now
                : lostFrom;
            if (isOver || (waits && now - lostFrom >= _terms.Options.LostTime.TotalNanoseconds))
            {
                bool isDone = Array.TrueForAll(_members, static m => m.Stage == MemberStage.Done);
                EndAs(isDone ? DistributionStage.Done : DistributionStage.Incomplete, null);
            }
            else if (!await _terms.Server.DelayAsync(_terms.Options.Poll))
            {
                return;
            }
        }
    }

    // All who may know it are told, and it is not served any more.
    private void End()
    {
        _parity.Remove();
        foreach (Coordinate server in _ways!.NearestFirst().Where(_terms.Server.Topology.IsReachable))
        {
            _terms.Server.Loop.Run(async () => await _line.AskAsync(Number, DistributionKind.End, default, server));
        }

        _line.Forget(_job!);
    }
}
