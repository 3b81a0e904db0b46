using System.Buffers.Binary;
using CamCube.Messaging;
using CamCube.Services.Distribution.Commands;
using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Jobs;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution;

/// <summary>
/// Distribution of files (HPDC §6.1): a file is cut into pieces, which go along all trees of the cube at once, each
/// server pulling its stripes from its parents. docs/distribution.md says what is promised. Loop only.
/// </summary>
[CamCubeService(0x0130, "distribution", Header = typeof(DistributionHeader))]
public sealed class DistributionService
    : MessageService<DistributionHeader>,
        IDistribution,
        IServiceCommands,
        IPullHandler<PieceRequest>,
        IMemberLine
{
    // What a question may take; asked so often.
    private const int Attempts = 3;

    private static readonly TimeSpan AnswerTime = TimeSpan.FromMilliseconds(500);

    private readonly DistributionOptions _options;
    private readonly PullEndpoint<DistributionHeader, PieceRequest> _pulls;
    private readonly JobTerms _terms;
    private readonly DistributionCommands _commands;
    private readonly KnownJobs _jobs;
    private readonly List<SentFile> _sent = [];
    private readonly LeftFiles _left;
    private uint _numbers;

    /// <summary>The distribution of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    public DistributionService(IServer server, DistributionOptions options)
        : base(server, new MessageOptions { MaxLength = ManifestFormat.MostBytes(server.Shape, options.MostBlocks) })
    {
        _options = options;
        var pulls = new PullOptions
        {
            FirstRetry = options.Retry,
            Streams = new StreamOptions { SendMemory = options.SendMemory, ReceiveMemory = options.ReceiveMemory },
        };
        _pulls = new PullEndpoint<DistributionHeader, PieceRequest>(server, pulls, this);
        _terms = new JobTerms(
            server,
            options,
            _pulls,
            new PieceBuffers(server, "windows", options.Buffers / 2),
            new PieceBuffers(server, "transit", options.Buffers / 2),
            new DistributionCounters(server.Counters)
        );
        (_jobs, _left) = (new KnownJobs(_terms, this), new LeftFiles(_terms, this));
        Files = new FolderFiles(server.Disk);
        _commands = new DistributionCommands(server, this, PlanOf, Files);
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands => _commands.Commands;

    /// <summary>The files of this server's folder.</summary>
    internal FolderFiles Files { get; }

    /// <summary>A mistake that it makes, for tests; set before it starts.</summary>
    internal DistributionMistake Mistake
    {
        set => _terms.Mistake = value;
    }

    /// <summary>What its jobs have in common.</summary>
    internal JobTerms Terms => _terms;

    /// <summary>Parts of files that an earlier run has left, and of which nothing was heard yet.</summary>
    internal int Unclaimed => _left.Unclaimed;

    /// <summary>Jobs that are known here.</summary>
    internal int Known => _jobs.Count;

    /// <summary>What an earlier run has left was looked at.</summary>
    internal bool IsReady => _jobs.IsReady;

    /// <summary>Jobs of which it has heard, and has no manifest yet.</summary>
    internal int Unsettled => _jobs.Searches;

    /// <inheritdoc/>
    public async ValueTask<DistributionAnswer> SendAsync(DistributionRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if ((SendTerms.WrongOf(request, Server.Shape) ?? (HasPlace() ? null : Busy())) is { } wrong)
        {
            return wrong;
        }

        DiskResult<IDiskFile> opened = await Server.Disk.OpenAsync(request.File, create: false);
        if (opened.Value is not { } file)
        {
            return opened.Status == DiskStatus.NotFound
                ? new(DistributionStatus.NotFound, 0, $"there is no file {request.File} at {Server.Coordinate}")
                : new(DistributionStatus.DiskFailed, 0, $"{Server.Coordinate}: {DiskWords.Of(opened.Status)}");
        }

        if (
            SendTerms.PiecesOf(file.Length, request, Server.Shape, _options.PieceBytes) > _options.MostPieces
            || !HasPlace()
        )
        {
            DistributionAnswer no = !HasPlace()
                ? Busy()
                : new(
                    DistributionStatus.TooLarge,
                    0,
                    $"{request.File} has {file.Length:N0} bytes, more than {_options.MostPieces:N0} pieces of "
                        + $"{_options.PieceBytes:N0} (CamCube:Services:distribution:MostPieces, PieceBytes)"
                );
            file.Close();
            return no;
        }

        var sent = new SentFile(_terms, this, NextNumber(), request, file);
        while (_sent.Count(static s => !s.IsRunning) > _options.Ended)
        {
            _sent.RemoveAt(_sent.FindIndex(static s => !s.IsRunning));
        }

        _sent.Add(sent);
        _terms.Counters.Begun.Add();
        Server.Loop.Run(sent.RunAsync);
        return new DistributionAnswer(DistributionStatus.Started, sent.Number, null);
    }

    /// <inheritdoc/>
    public DistributionState? StateOf(ulong job) => _sent.Find(sent => sent.Number == job)?.State;

    /// <summary>The trees of a job that was begun here; null: there is none, or they are not known yet.</summary>
    private TreePlan? PlanOf(ulong job) => _sent.Find(sent => sent.Number == job)?.Plan;

    /// <inheritdoc/>
    public IReadOnlyList<DistributionState> List() => [.. _sent.Select(static sent => sent.State)];

    /// <inheritdoc/>
    public ValueTask<bool> CancelAsync(ulong job) => new(_sent.Find(sent => sent.Number == job)?.Cancel() ?? false);

    /// <inheritdoc/>
    public override void OnStart()
    {
        base.OnStart();
        _pulls.Start();
        Server.Loop.Run(CleanAsync);
        Server.Every(TimeSpan.FromSeconds(1), Sweep);
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        _pulls.Stop();
        base.OnStop(reason);
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) =>
        StreamEndpoint<DistributionHeader>.IsOfStreams(packet)
            ? _pulls.OnPacket(hop, packet)
            : base.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        base.OnTopologyChanged(change);
        _pulls.OnTopologyChanged(change);
        _jobs.OnTopologyChanged();
    }

    PullRefusal IPullHandler<PieceRequest>.OnPull(
        PullOutput output,
        in VertexId vertex,
        PieceRequest request,
        out IPullSource? source
    ) =>
        _jobs.Of(vertex.Job) is { } job
            ? job.OnPull(output, vertex, request, out source)
            : _jobs.OnPull(output, vertex, request, out source);

    async ValueTask<MemberReport?> IMemberLine.AskAsync(
        ulong job,
        DistributionKind kind,
        ReadOnlyMemory<byte> content,
        Coordinate member
    )
    {
        var header = new DistributionHeader { JobNumber = job, Kind = kind };
        using Answer<DistributionHeader> answer = await AskAsync(header, content, member, AnswerTime, Attempts);
        return answer.IsAnswered && MemberReport.TryRead(answer.Content, out MemberReport report) ? report : null;
    }

    async ValueTask<byte[]?> IMemberLine.AskBytesAsync(
        ulong job,
        DistributionKind kind,
        ReadOnlyMemory<byte> content,
        Coordinate server
    )
    {
        var header = new DistributionHeader { JobNumber = job, Kind = kind };
        using Answer<DistributionHeader> answer = await AskAsync(header, content, server, AnswerTime, Attempts);
        return answer.IsAnswered ? answer.Content.ToArray() : null;
    }

    async ValueTask<(byte[]? Manifest, ushort AgoSeconds)> IMemberLine.FetchAsync(ulong job, Coordinate server)
    {
        var header = new DistributionHeader { JobNumber = job, Kind = DistributionKind.Fetch };
        using Answer<DistributionHeader> answer = await AskAsync(header, default, server, AnswerTime, attempts: 1);
        return answer.IsAnswered ? (answer.Content.ToArray(), answer.Header.AgoSeconds) : (null, (ushort)0);
    }

    void IMemberLine.Give(ulong number, Job? job, Coordinate server, ulong question)
    {
        var header = new DistributionHeader
        {
            JobNumber = number,
            Kind = DistributionKind.Fetch,
            AgoSeconds = job?.AgoSeconds ?? 0,
        };
        _terms.Counters.Manifests.Add(job is null ? 0 : 1);
        AnswerLater(server, question, header, tail: job is null ? default : _terms.Given(job));
    }

    void IMemberLine.Know(Job job) => _jobs.Add(job);

    void IMemberLine.Forget(Job job) => _jobs.Forget(job);

    /// <inheritdoc/>
    protected override void OnMessage(in IncomingMessage<DistributionHeader> message)
    {
        Job? job = _jobs.Of(message.Header.JobNumber);
        bool isOfSource = job is not { IsAssured: true } || job.Manifest.Source == message.Source;
        switch (message.Header.Kind)
        {
            case DistributionKind.Begin when isOfSource && IsQuestion(message):
                Report(message, _jobs.OnBegin(message.Header.JobNumber, message.Source, message.Content));
                break;
            case DistributionKind.Poll when isOfSource && IsQuestion(message):
                // One that was told by others only is told anew.
                Report(message, job is { IsAssured: true } ? job : null);
                break;
            case DistributionKind.End when isOfSource && IsQuestion(message):
                _jobs.OnEnd(message.Header.JobNumber, message.Source);
                Report(message, null);
                break;
            case DistributionKind.Tell when IsQuestion(message) && message.Content.IsEmpty:
                _jobs.OnTold(message.Header.JobNumber, message.Source);
                Report(message, job, isOfSource: false);
                break;
            case DistributionKind.Fetch when IsQuestion(message) && _jobs.IsReady:
                _jobs.OnFetch(message.Header.JobNumber, message.Source, QuestionOf(message));
                break;
            case DistributionKind.Digest when IsQuestion(message) && _jobs.IsReady:
                bool isOwn = job?.Manifest.Source == Server.Coordinate;
                Answer(message, message.Header, isOwn ? job!.Digest : default);
                break;
            case DistributionKind.Hashes when IsQuestion(message) && message.Content.Length == sizeof(int):
                int first = BinaryPrimitives.ReadInt32LittleEndian(message.Content);
                ReadOnlySpan<byte> hashes = job?.Hashes is { } known ? known.From(first) : default;
                Answer(message, message.Header, hashes);
                break;
            case DistributionKind.Origin when IsQuestion(message) && message.Content.Length == sizeof(int):
                Span<byte> origin = stackalloc byte[OriginAnswer.Length];
                (job?.OriginOf(BinaryPrimitives.ReadInt32LittleEndian(message.Content)) ?? default).Write(origin);
                Answer(message, message.Header, origin);
                break;
            default:
                _terms.Counters.Malformed.Add();
                break;
        }
    }

    // Members do not keep a job for each other: only what the source says counts.
    private void Report(in IncomingMessage<DistributionHeader> message, Job? job, bool isOfSource = true)
    {
        if (job is not null && isOfSource)
        {
            job.HeardNanos = Server.NowNanos;
        }

        MemberReport report = _jobs.ReportOf(message.Header.JobNumber, job);
        Span<byte> content = stackalloc byte[MemberReport.MostBytes];
        int length = report.Write(content);
        Answer(message, message.Header, content[..length]);
    }

    private async ValueTask CleanAsync()
    {
        await _left.FindAsync(_sent);
        _jobs.IsReady = true;
        await _left.ForgetAsync(job => _jobs.Of(job) is not null);
    }

    private void Sweep()
    {
        _terms.Turns.Look();
        _jobs.Sweep();
    }

    private bool HasPlace() => _sent.Count(static sent => sent.IsRunning) < _options.Jobs;

    private DistributionAnswer Busy() =>
        new(
            DistributionStatus.Busy,
            0,
            $"{_options.Jobs} jobs of {Server.Coordinate} run already (CamCube:Services:distribution:Jobs)"
        );

    // Never that of another server, of an earlier run, or of this service before it was started again; and never 0.
    private ulong NextNumber()
    {
        Span<byte> name = stackalloc byte[(3 * sizeof(ulong)) + sizeof(uint)];
        BinaryPrimitives.WriteUInt64LittleEndian(name, Server.Incarnation);
        BinaryPrimitives.WriteUInt64LittleEndian(name[sizeof(ulong)..], Server.Coordinate.Packed);
        BinaryPrimitives.WriteInt64LittleEndian(name[(2 * sizeof(ulong))..], Server.NowNanos);
        BinaryPrimitives.WriteUInt32LittleEndian(name[(3 * sizeof(ulong))..], ++_numbers);
        ulong number = Key.OfBytes(name).Middle;
        return number == 0 ? 1 : number;
    }
}
