using System.Text;
using CamCube.Services.Camdoop.Counting;
using CamCube.Services.Camdoop.Inputs;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Wire;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>
/// Leads a job from its records to its end, at the root of the job's key. What it knows of servers it has from them:
/// who takes over asks all of them what they do and have, and goes on with that. What must be the same whoever leads is
/// written once into the file store: the plan, how it is to end, and how it has ended. Loop only.
/// </summary>
internal sealed class Tracker
{
    private const string EndName = "verdict";
    private const string OutputName = "output";
    private const string StateName = "state";
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);
    private readonly IServer _server;
    private readonly CamdoopOptions _options;
    private readonly Dependency<IFiles> _files;
    private readonly JobBook _book;
    private readonly IServerLine _line;
    private readonly CamdoopCounters _counters;
    private readonly JobReporter _reporter;
    private readonly LeftOut _leftOut;
    private readonly MapTotals _mapTotals;
    private readonly StepSignal _signal = new();
    private readonly ulong _number;
    private Assignment? _assignment;
    private JobRecord? _record;
    private EndRecord? _end;
    private JobPhase _phase = JobPhase.Planning;
    private JobState? _last;
    private bool _isOver;

    /// <summary>A tracker, which begins when it is run.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings.</param>
    /// <param name="files">The file store.</param>
    /// <param name="line">Asks servers.</param>
    /// <param name="counters">What the server counts.</param>
    /// <param name="number">The job's number.</param>
    public Tracker(
        IServer server,
        CamdoopOptions options,
        Dependency<IFiles> files,
        IServerLine line,
        CamdoopCounters counters,
        ulong number
    )
    {
        (_server, _options, _files, _line, _number) = (server, options, files, line, number);
        (_counters, _book) = (counters, new JobBook(files));
        _leftOut = new LeftOut(_book, number);
        _mapTotals = new MapTotals(server, _book, number, Wake);
        _reporter = new JobReporter(server, options, _book, line, counters, number);
    }

    /// <summary>It leads no more: the job is over, or there is none, or another server leads it.</summary>
    public bool IsOver => _isOver;

    /// <summary>When it was over.</summary>
    public long OverNanos { get; private set; }

    /// <summary>There is no such job.</summary>
    public bool IsNothing { get; private set; }

    /// <summary>How the job is doing; null: that is not known yet.</summary>
    public JobState? State => _last ?? (_record is null ? null : Describe());

    /// <summary>Something has changed at a server.</summary>
    public void Note(Coordinate at)
    {
        _assignment?.Note(at);
        _signal.Set();
    }

    /// <summary>Something has changed.</summary>
    public void Wake() => _signal.Set();

    /// <summary>The service stops, or another server leads.</summary>
    public void Stop()
    {
        _isOver = true;
        OverNanos = _server.NowNanos;
        _signal.Set();
    }

    /// <summary>Somebody wants the job to end.</summary>
    /// <returns>False: it is too late.</returns>
    public async ValueTask<bool> CancelAsync()
    {
        if (_record is null || _last is not null)
        {
            return _last?.Phase == JobPhase.Cancelled;
        }

        await EndAsync(JobPhase.Cancelled, null);
        _signal.Set();
        return _end?.Phase == JobPhase.Cancelled;
    }

    /// <summary>What the job has cost so far, or did. Servers are asked once for all who ask meanwhile, and not again
    /// within <see cref="CamdoopOptions.SyncEvery"/>.</summary>
    /// <returns>Done with it; NotFound: it ended without; Unavailable.</returns>
    public async ValueTask<(JobStatus Status, JobReport? Report)> ReportAsync()
    {
        if (_last is not null)
        {
            return await _reporter.ReadAsync();
        }

        return State is { } state
            ? (JobStatus.Done, _end?.Cost ?? await _reporter.NowAsync(state, _assignment))
            : (IsNothing ? JobStatus.NotFound : JobStatus.Unavailable, null);
    }

    /// <summary>Leads the job.</summary>
    public async ValueTask RunAsync()
    {
        ServerTimer timer = _server.Every(_options.SyncEvery, _signal.Set);
        while (!_isOver)
        {
            if (await LoadAsync() && await PlanAsync())
            {
                await LeadAsync();
            }

            if (!_isOver && !await _server.DelayAsync(Pause))
            {
                Stop();
            }
        }

        timer.Cancel();
    }

    // False: not now.
    private async ValueTask<bool> LoadAsync()
    {
        (FileStatus status, JobState? state) = await _book.ReadAsync<JobState>(_number, StateName);
        if (status == FileStatus.Done)
        {
            Finish(state!);
        }

        if (status != FileStatus.NotFound)
        {
            return false;
        }

        (status, JobRecord? record) = await _book.ReadAsync<JobRecord>(_number, JobBook.DescriptionName);
        if (status is FileStatus.NotFound or FileStatus.Exists)
        {
            IsNothing = true;
            Stop();
            return false;
        }

        _record = record;
        if (record is null)
        {
            return false;
        }

        (status, EndRecord? end) = await _book.ReadAsync<EndRecord>(_number, EndName);
        _end = end ?? _end;
        return status is FileStatus.Done or FileStatus.NotFound;
    }

    // False: not now, or the job has ended by it.
    private async ValueTask<bool> PlanAsync()
    {
        (FileStatus status, PlanRecord? plan) = await _book.ReadPlanAsync(_number, _server.Shape);
        if (status == FileStatus.NotFound && _end is null)
        {
            (plan, string? words) = await MakePlanAsync(_record!.Description);
            if (words is not null)
            {
                await EndAsync(JobPhase.Failed, words);
            }

            if (plan is not null)
            {
                FileStatus written = await _book.WriteAsync(_number, JobBook.PlanName, plan);
                (status, plan) =
                    written == FileStatus.Done
                        ? (FileStatus.Done, plan)
                        : await _book.ReadPlanAsync(_number, _server.Shape);
            }
        }
        else if (status == FileStatus.Exists && _end is null)
        {
            await EndAsync(JobPhase.Failed, "the plan of the job cannot be read");
        }

        if (plan is not null)
        {
            var job = new Job(_number, _record!, plan, _server.Shape);
            _assignment = new Assignment(_server, _options, job, _line, Wake);
            return await _leftOut.LoadAsync(_assignment, job) && await _mapTotals.LoadAsync(_assignment);
        }

        if (
            status is FileStatus.NotFound or FileStatus.Exists
            && _end is { } end
            && await TakeBackAsync()
            && await WriteStateAsync(end.Phase, end.Words)
        )
        {
            Finish(_last!);
        }

        return false;
    }

    private async ValueTask<(PlanRecord? Plan, string? Words)> MakePlanAsync(JobDescription job)
    {
        if (!_files.IsAvailable)
        {
            return (null, null);
        }

        IFiles files = _files.Value;
        (PlanRecord? plan, string? words) = await new InputPlanner(files, _server).CutAsync(job);
        if (plan is not null)
        {
            var cut = new Job(_number, _record!, plan, _server.Shape);
            words = JobChecks.WrongOfPlan(cut, _options.Buffers, Tasks.TaskTerms.LeastCreditOf(cut));
        }

        if (plan is null || words is not null)
        {
            return (null, words);
        }

        // Who led before may have died when the directory was there and the mark in it was not.
        (FileStatus looked, _) = await _book.ReadAsync<EndRecord>(_number, OutputName);
        if (looked == FileStatus.NotFound)
        {
            FileAnswer there = await files.FindAsync(job.Output);
            if (there.Status == FileStatus.NotFound)
            {
                looked = await _book.WriteAsync(_number, OutputName, new EndRecord(JobPhase.Planning, null));
            }
            else if (there.Status == FileStatus.Done)
            {
                // Another that leads at the same time may have made it since.
                (looked, _) = await _book.ReadAsync<EndRecord>(_number, OutputName);
                if (looked == FileStatus.NotFound)
                {
                    return (null, JobChecks.AlreadyThere(job));
                }
            }
            else
            {
                return (null, there.Words);
            }
        }

        if (looked is not (FileStatus.Done or FileStatus.Exists))
        {
            return (null, null);
        }

        // Two jobs that were given one output: whose name is in it first has it.
        FileStatus marked = await WriteAsync(MarkPath, Encoding.UTF8.GetBytes(JobName.Of(_number)));
        (_, EndRecord? end) = await _book.ReadAsync<EndRecord>(_number, EndName);
        if (end is { Phase: not JobPhase.Committing })
        {
            // It was ended, and another has taken back what there was, while this server stood still.
            _end = end;
            return (null, null);
        }

        return marked switch
        {
            FileStatus.Done => (plan, null),
            FileStatus.Exists => (null, JobChecks.AlreadyThere(job)),
            FileStatus.Unavailable or FileStatus.Unknown or FileStatus.Busy => (null, null),
            _ => (null, Tasks.FileSink.EndOf(marked)?.Words),
        };
    }

    // Until it is over.
    private async ValueTask LeadAsync()
    {
        Assignment assignment = _assignment!;
        if (_end is { Phase: JobPhase.Committing } && !await LookForNamesAsync(assignment))
        {
            return;
        }

        while (!_isOver)
        {
            _phase = _end is null ? assignment.Phase : JobPhase.Committing;
            _mapTotals.Look(assignment);
            if (_end is null && assignment.Fatal is { } fatal)
            {
                await EndAsync(JobPhase.Failed, fatal);
            }
            else if (_end is null && assignment.AreAllReady)
            {
                JobState ready = Describe();
                await EndAsync(
                    new EndRecord(JobPhase.Committing)
                    {
                        Ready = ready,
                        Cost = await _reporter.MakeAsync(ready, assignment),
                    }
                );
            }

            if (_end is { Phase: JobPhase.Failed or JobPhase.Cancelled } end)
            {
                if (await TakeBackAsync() && await WriteStateAsync(end.Phase, end.Words))
                {
                    await DismissAsync(assignment);
                    return;
                }

                await _server.DelayAsync(Pause);
            }
            else if (_end is not null && (assignment.AreAllCommitted || assignment.Fatal is not null))
            {
                if (await SettleAsync(assignment))
                {
                    await DismissAsync(assignment);
                    return;
                }

                await _server.DelayAsync(Pause);
            }

            await _leftOut.WriteAsync(assignment);
            assignment.Drive(
                commits: _end is { Phase: JobPhase.Committing },
                mayGive: _end is not { Phase: not JobPhase.Committing }
            );
            await _signal.WaitAsync().ConfigureAwait(false);
        }
    }

    private async ValueTask<bool> SettleAsync(Assignment assignment)
    {
        if (assignment.Fatal is { } fatal)
        {
            // Some of its output may have its name already.
            return await WriteStateAsync(JobPhase.Failed, $"{fatal}; a part of its output may be there");
        }

        FileStatus marked = await WriteAsync(FilePath.Join(_record!.Description.Output, "_SUCCESS"), default);
        if (marked is not (FileStatus.Done or FileStatus.Exists))
        {
            return false;
        }

        await _files.Value.DeleteAsync(MarkPath);
        return await WriteStateAsync(JobPhase.Done, null);
    }

    private async ValueTask<bool> TakeBackAsync()
    {
        if (!_files.IsAvailable)
        {
            return false;
        }

        // Only what has the job's mark is the job's; who led before may have died between the directory and the mark.
        (FileStatus looked, string mark) = await ReadMarkAsync();
        if (looked is not (FileStatus.Done or FileStatus.NotFound))
        {
            return false;
        }

        if (looked == FileStatus.Done && mark != JobName.Of(_number))
        {
            return true;
        }

        bool isMarked = looked == FileStatus.Done;
        (FileStatus begun, _) = await _book.ReadAsync<EndRecord>(_number, OutputName);
        if (!isMarked && begun != FileStatus.Done)
        {
            return begun == FileStatus.NotFound;
        }

        FileAnswer gone = await _files.Value.DeleteAsync(_record!.Description.Output, recursive: isMarked);
        return gone.Status is FileStatus.Done or FileStatus.NotFound or FileStatus.NotEmpty or FileStatus.NotDirectory;
    }

    private async ValueTask<(FileStatus Status, string Text)> ReadMarkAsync()
    {
        using IFileReader reader = await _files.Value.OpenReadAsync(MarkPath);
        if (reader.Answer.Status != FileStatus.Done)
        {
            return (reader.Answer.Status, "");
        }

        FilePart part = await reader.ReadAsync();
        return (part.Status, Encoding.UTF8.GetString(part.Bytes.Span));
    }

    // What who led before has named.
    private async ValueTask<bool> LookForNamesAsync(Assignment assignment)
    {
        string? cursor = null;
        do
        {
            if (!_files.IsAvailable)
            {
                return false;
            }

            FilePage page = await _files.Value.ListAsync(_record!.Description.Output, cursor);
            if (page.Status != FileStatus.Done)
            {
                return page.Status == FileStatus.NotFound;
            }

            foreach (FileEntry entry in page.Entries)
            {
                assignment.NoteNamed(FilePath.NameOf(entry.Path));
            }

            cursor = page.Next;
        } while (cursor is not null);
        return true;
    }

    private ValueTask EndAsync(JobPhase phase, string? words) => EndAsync(new EndRecord(phase, words));

    private async ValueTask EndAsync(EndRecord record)
    {
        FileStatus written = await _book.WriteAsync(_number, EndName, record);
        if (written is FileStatus.Done or FileStatus.Exists or FileStatus.Unknown)
        {
            (_, EndRecord? end) = await _book.ReadAsync<EndRecord>(_number, EndName);
            _end = end ?? _end;
        }
    }

    private async ValueTask<bool> WriteStateAsync(JobPhase phase, string? words)
    {
        // Whoever asks hears of an end only once it is written, and its report before.
        JobState now = Describe();
        JobState known = phase == JobPhase.Done && _end?.Ready is { } ready ? ready : now;
        JobState state = known with { Phase = phase, Words = words, Elapsed = now.Elapsed };
        await _reporter.WriteAsync(state, _assignment, phase == JobPhase.Done ? _end?.Cost : null);
        FileStatus written = await _book.WriteAsync(_number, StateName, state);
        if (written == FileStatus.Done)
        {
            _last = state;
            _counters.End(phase);
        }
        else if (written == FileStatus.Exists)
        {
            (_, _last) = await _book.ReadAsync<JobState>(_number, StateName);
        }

        return _last is not null;
    }

    private async ValueTask DismissAsync(Assignment assignment)
    {
        await assignment.DismissAsync();
        Finish(_last!);
    }

    private void Finish(JobState state)
    {
        _last = state;
        Stop();
    }

    private async ValueTask<FileStatus> WriteAsync(string path, ReadOnlyMemory<byte> bytes)
    {
        using IFileWriter writer = _files.Value.OpenWrite(path);
        FileStatus status = bytes.IsEmpty ? FileStatus.Done : await writer.WriteAsync(bytes);
        return status == FileStatus.Done ? (await writer.CommitAsync()).Status : status;
    }

    private string MarkPath => FilePath.Join(_record!.Description.Output, "_camdoop");

    private JobState Describe()
    {
        DateTimeOffset begun = DateTimeOffset.FromUnixTimeMilliseconds(_record!.BegunMilliseconds);
        var state = new JobState(JobName.Of(_number), _phase)
        {
            Title = _record.Description.Title,
            Output = _record.Description.Output,
            Begun = begun,
            Elapsed = _server.TimeProvider.GetUtcNow() - begun,
        };
        return _assignment?.Describe(state) ?? state;
    }
}
