using CamCube.Messaging;
using CamCube.Services.Camdoop.Commands;
using CamCube.Services.Camdoop.Counting;
using CamCube.Services.Camdoop.Outputs;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Serving;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Camdoop.Tracking;
using CamCube.Services.Camdoop.Wire;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Trees;
using CamCube.Workers;

namespace CamCube.Services.Camdoop;

/// <summary>
/// MapReduce (NSDI'12): map tasks run where their input lies, and what they give is merged hop by hop on its way to the
/// reduces. docs/camdoop.md says what is guaranteed. Loop only.
/// </summary>
[CamCubeService(0x0190, "camdoop", Header = typeof(CamdoopHeader))]
public sealed class CamdoopService
    : MessageService<CamdoopHeader>,
        ICamdoop,
        IServiceCommands,
        IPullHandler<PairPull>,
        IServerLine
{
    // Orders name the holder of each map task; answers name counters.
    private const int MostMessage = 8 << 20;
    private const int Attempts = 3;
    private const int MostListed = 1_000;
    private static readonly TimeSpan StatusTime = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Unheard = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan NothingTime = TimeSpan.FromSeconds(5);
    private readonly CamdoopOptions _options;
    private readonly Dependency<IFiles> _files;
    private readonly JobBook _book;
    private readonly PullEndpoint<CamdoopHeader, PairPull> _pulls;
    private readonly TaskTerms _terms;
    private readonly CamdoopCommands _commands;
    private readonly Dictionary<ulong, ServedJob> _served = [];
    private readonly Dictionary<ulong, Coordinate> _roots = [];
    private readonly HashSet<ulong> _learning = [];
    private readonly Dictionary<ulong, Tracker> _trackers = [];
    private readonly JobDesk _desk;
    private readonly LeftJobs _left;

    /// <summary>MapReduce of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    /// <param name="files">Has inputs and gets outputs.</param>
    /// <param name="store">Gets pairs of outputs.</param>
    public CamdoopService(
        IServer server,
        CamdoopOptions options,
        Dependency<IFiles> files,
        Dependency<IKeyValueStore> store
    )
        : this(
            server,
            options,
            files,
            store,
            use => ProgramPools.Open($"camdoop-{use}", new ProgramsOptions { Programs = ProgramSlotsOf(options) }),
            isSimulated: false
        ) { }

    internal CamdoopService(
        IServer server,
        CamdoopOptions options,
        Dependency<IFiles> files,
        Dependency<IKeyValueStore> store,
        Func<ProgramUse, IPrograms> openPrograms,
        bool isSimulated
    )
        : base(server, new MessageOptions { MaxLength = MostMessage })
    {
        (_options, _files, _book) = (options, files, new JobBook(files));
        long half = options.Buffers / 2;
        var pulls = new PullOptions
        {
            Streams = new StreamOptions { SendMemory = half, ReceiveMemory = half },
        };
        _pulls = new PullEndpoint<CamdoopHeader, PairPull>(server, pulls, this);
        _terms = new TaskTerms(
            server,
            options,
            files,
            store,
            new ProgramHost(server, options, openPrograms, files, isSimulated),
            new FunctionHost(server, options, files),
            new OutputStore(server, options),
            _pulls
        );
        _commands = new CamdoopCommands(this);
        _desk = new JobDesk(server, options, _book, store, Counters, FindAsync);
        _left = new LeftJobs(
            server,
            options,
            files,
            async number => await FindAsync(JobName.Of(number)) is { State.IsOver: true }
        );
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands => _commands.Commands;

    /// <summary>A mistake that it makes, for tests; set before it starts.</summary>
    internal CamdoopMistake Mistake
    {
        set => _terms.Functions.Mistake = _terms.Mistake = value;
    }

    /// <summary>Jobs that this server leads, or has looked up to lead them.</summary>
    internal int Tracked => _trackers.Count;

    /// <summary>What the server counts.</summary>
    internal CamdoopCounters Counters => _terms.Counters;

    /// <summary>Jobs that this server does something for.</summary>
    internal int Served => _served.Count;

    /// <summary>Whether it has an attempt at a map task, of any job.</summary>
    internal bool RunsMap(int task, int attempt) =>
        _served.Values.Any(job => job.RunsMap(new TaskOrder(task, attempt)));

    /// <inheritdoc/>
    public ValueTask<JobAnswer> SubmitAsync(JobDescription job)
    {
        ArgumentNullException.ThrowIfNull(job);
        return _desk.SubmitAsync(job);
    }

    /// <inheritdoc/>
    public ValueTask<JobAnswer> FindAsync(string job) => AskStateAsync(job, CamdoopKind.Status);

    /// <inheritdoc/>
    public ValueTask<JobAnswer> CancelAsync(string job) => AskStateAsync(job, CamdoopKind.Cancel);

    /// <inheritdoc/>
    public async ValueTask<JobReportAnswer> ReportAsync(string job)
    {
        (JobStatus status, string? words, JobReport? report) = await AskAsync<JobReport>(job, CamdoopKind.Report);
        return new JobReportAnswer(status, report) { Words = words };
    }

    /// <inheritdoc/>
    public async ValueTask<JobListAnswer> ListAsync()
    {
        if (await _book.ListAsync() is not { } numbers)
        {
            return new JobListAnswer(JobStatus.Unavailable, []);
        }

        List<JobState> states = [];
        foreach (ulong number in numbers.Take(MostListed))
        {
            JobAnswer answer = await FindAsync(JobName.Of(number));
            if (answer.State is { } state)
            {
                states.Add(state with { Counters = [], Failures = [] });
            }
        }

        return new JobListAnswer(JobStatus.Done, states);
    }

    /// <inheritdoc/>
    public override void OnStart()
    {
        base.OnStart();
        _pulls.Start();
        Server.Loop.Run(_terms.Outputs.CleanAsync);
        Server.Every(TimeSpan.FromSeconds(1), Sweep);
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        foreach (Tracker tracker in _trackers.Values)
        {
            tracker.Stop();
        }

        foreach (ServedJob job in _served.Values)
        {
            job.Dispose();
        }

        _terms.Programs.Stop();
        _pulls.Stop();
        base.OnStop(reason);
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) =>
        StreamEndpoint<CamdoopHeader>.IsOfStreams(packet) ? _pulls.OnPacket(hop, packet) : base.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        base.OnTopologyChanged(change);
        _pulls.OnTopologyChanged(change);
        foreach ((ulong number, Tracker tracker) in _trackers.ToArray())
        {
            if (!tracker.IsOver && !Server.Topology.IsRoot(Job.KeyOf(number)))
            {
                tracker.Stop();
                _trackers.Remove(number);
                Tell(number);
            }

            tracker.Wake();
        }

        // Who leads next has to hear of the job.
        foreach (ulong number in _served.Keys)
        {
            Coordinate root = Server.Topology.RootOf(Job.KeyOf(number));
            if (_roots.GetValueOrDefault(number) != root)
            {
                _roots[number] = root;
                Tell(number);
            }
        }
    }

    PullRefusal IPullHandler<PairPull>.OnPull(
        PullOutput output,
        in VertexId vertex,
        PairPull request,
        out IPullSource? source
    )
    {
        source = null;
        return _served.TryGetValue(vertex.Job, out ServedJob? job)
            ? job.OnPull(output, vertex, request, out source)
            : PullRefusal.Unknown;
    }

    async ValueTask<SyncReport?> IServerLine.SyncAsync(ulong job, SyncOrder order, Coordinate at)
    {
        var header = new CamdoopHeader { Job = job, Kind = CamdoopKind.Sync };
        using Answer<CamdoopHeader> answer = await AskAsync(
            header,
            SyncJson.BytesOf(order),
            at,
            _options.AnswerTime,
            Attempts
        );
        return answer.IsAnswered && SyncJson.TryRead(answer.Content, out SyncReport? report) ? report : null;
    }

    /// <inheritdoc/>
    protected override void OnMessage(in IncomingMessage<CamdoopHeader> message)
    {
        ulong number = message.Header.Job;
        switch (message.Header.Kind)
        {
            case CamdoopKind.Sync when IsQuestion(message) && SyncJson.TryRead(message.Content, out SyncOrder? order):
                Answer(message, message.Header, SyncJson.BytesOf(Obey(number, order, message.Source)));
                break;
            case CamdoopKind.Changed:
                Hear(number, message.Source);
                break;
            case CamdoopKind.Status or CamdoopKind.Cancel or CamdoopKind.Report when IsQuestion(message):
                (CamdoopKind kind, Coordinate source, ulong question) = (
                    message.Header.Kind,
                    message.Source,
                    QuestionOf(message)
                );
                Server.Loop.Run(() => AnswerAsync(number, kind, source, question));
                break;
            default:
                break;
        }
    }

    private SyncReport Obey(ulong number, SyncOrder order, Coordinate source)
    {
        ServedJob? job = _served.GetValueOrDefault(number);
        if (order.Ends)
        {
            Forget(number);
            return new SyncReport();
        }

        // Two may lead for a moment: who is root here is heeded.
        bool isLeader = Server.Topology.RootOf(Job.KeyOf(number)) == source;
        if (job is null)
        {
            if (isLeader && _served.Count < _options.Jobs && _learning.Add(number))
            {
                Server.Loop.Run(() => LearnAsync(number));
            }

            return new SyncReport { IsLearning = true };
        }

        job.Obey(isLeader ? order : new SyncOrder { Adopts = true });
        return job.ReportTo(order);
    }

    private async ValueTask LearnAsync(ulong number)
    {
        (_, JobRecord? record) = await _book.ReadAsync<JobRecord>(number, JobBook.DescriptionName);
        (_, PlanRecord? plan) = await _book.ReadPlanAsync(number, Server.Shape);
        _learning.Remove(number);
        if (record is null || plan is null || _served.ContainsKey(number))
        {
            return;
        }

        var job = new Job(number, record, plan, Server.Shape);
        var served = new ServedJob(_terms, job, () => Tell(number));
        _served.Add(number, served);
        Server.Loop.Run(served.PrepareAsync);
        _roots[number] = Server.Topology.RootOf(Job.KeyOf(number));
        Tell(number);
    }

    private void Forget(ulong number)
    {
        if (_served.Remove(number, out ServedJob? job))
        {
            _roots.Remove(number);
            job.Dispose();
        }
    }

    // Something has changed here, or nobody seems to lead.
    private void Tell(ulong number) =>
        Channel.Send(
            new CamdoopHeader { Job = number, Kind = CamdoopKind.Changed },
            default,
            default,
            Job.KeyOf(number)
        );

    private void Hear(ulong number, Coordinate source)
    {
        if (!Server.Topology.IsRoot(Job.KeyOf(number)))
        {
            return;
        }

        Tracker tracker = Track(number);
        if (!tracker.IsOver)
        {
            tracker.Note(source);
        }
        else
        {
            IServerLine line = this;
            Server.Loop.Run(async () => await line.SyncAsync(number, new SyncOrder { Ends = true }, source));
        }
    }

    private Tracker Track(ulong number)
    {
        if (!_trackers.TryGetValue(number, out Tracker? tracker))
        {
            tracker = new Tracker(Server, _options, _files, this, _terms.Counters, number);
            _trackers.Add(number, tracker);
            Server.Loop.Run(tracker.RunAsync);
        }

        return tracker;
    }

    private async ValueTask<JobAnswer> AskStateAsync(string job, CamdoopKind kind)
    {
        (JobStatus status, string? words, JobState? state) = await AskAsync<JobState>(job, kind);
        return new JobAnswer(status, state) { Words = words };
    }

    private async ValueTask<(JobStatus Status, string? Words, T? Answer)> AskAsync<T>(string job, CamdoopKind kind)
        where T : class
    {
        if (!JobName.TryParse(job, out ulong number))
        {
            return (JobStatus.BadJob, $"{job} is no name of a job: job_1764420000000_0001 is", null);
        }

        using Answer<CamdoopHeader> answer = await AskAsync(
            new CamdoopHeader { Job = number, Kind = kind },
            default,
            Job.KeyOf(number),
            StatusTime + StatusTime,
            Attempts
        );
        if (!answer.IsAnswered)
        {
            return (JobStatus.Unavailable, null, null);
        }

        _ = CamdoopJson.TryRead(answer.Content, out T? content);
        return ((JobStatus)answer.Header.Status, null, content);
    }

    private async ValueTask AnswerAsync(ulong number, CamdoopKind kind, Coordinate source, ulong question)
    {
        // What there was not may be there by now: somebody asked while it was being written.
        if (_trackers.TryGetValue(number, out Tracker? before) && before.IsNothing)
        {
            _trackers.Remove(number);
        }

        Tracker tracker = Track(number);
        long until = Server.NowNanos + (long)StatusTime.TotalNanoseconds;
        while (tracker is { State: null, IsNothing: false } && Server.NowNanos < until && await Server.DelayAsync(Look))
        { }

        JobStatus status =
            tracker.IsNothing ? JobStatus.NotFound
            : tracker.State is null ? JobStatus.Unavailable
            : JobStatus.Done;
        if (kind == CamdoopKind.Cancel && status == JobStatus.Done && !await tracker.CancelAsync())
        {
            status = JobStatus.TooLate;
        }

        byte[] said = tracker.State is { } known ? CamdoopJson.BytesOf(known) : [];
        if (kind == CamdoopKind.Report && status == JobStatus.Done)
        {
            (status, JobReport? report) = await tracker.ReportAsync();
            said = report is null ? [] : CamdoopJson.BytesOf(report);
        }

        var header = new CamdoopHeader
        {
            Job = number,
            Kind = kind,
            Status = (byte)status,
        };
        AnswerLater(source, question, header, tail: said);
    }

    private void Sweep()
    {
        long now = Server.NowNanos;
        _left.Look();
        Counters.Led.Set(_trackers.Values.Count(static tracker => !tracker.IsOver));
        Counters.Served.Set(_served.Count);
        foreach ((ulong number, Tracker tracker) in _trackers.ToArray())
        {
            TimeSpan keeps = tracker.IsNothing ? NothingTime : _options.KeepTime;
            bool isOld = tracker.IsOver && now - tracker.OverNanos > keeps.TotalNanoseconds;
            if (isOld || (tracker.IsOver && tracker.State is null && !tracker.IsNothing))
            {
                _trackers.Remove(number);
            }
        }

        foreach ((ulong number, ServedJob job) in _served.ToArray())
        {
            if (now - job.HeardNanos > Unheard.TotalNanoseconds)
            {
                Tell(number);
            }
        }
    }

    private static int ProgramSlotsOf(CamdoopOptions options) =>
        options.ProgramSlots > 0 ? options.ProgramSlots : 4 * Environment.ProcessorCount;
}
