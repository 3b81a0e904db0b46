using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>One attempt at a task, from its order until its tracker wants it no more. Loop only.</summary>
/// <param name="terms">What tasks of the server have in common.</param>
/// <param name="job">The job.</param>
/// <param name="order">Which attempt at which task.</param>
/// <param name="onChanged">Told when its stage changes.</param>
internal abstract class TaskAttempt(TaskTerms terms, Job job, TaskOrder order, Action onChanged) : IDisposable
{
    private readonly CancellationTokenSource _cancel = new();
    private bool _isDropped;
    private string? _words;
    private bool _isInnocent;
    private bool _isCommitting;
    private static readonly TimeSpan WorkingAfter = TimeSpan.FromSeconds(1);
    private bool _hasBegun;
    private TaskStage _stage;
    private long _begunNanos = terms.Server.NowNanos;
    private long _readyNanos;

    /// <summary>Which attempt at which task.</summary>
    public TaskOrder Order => order;

    /// <summary>How far it is.</summary>
    public TaskStage Stage =>
        _stage == TaskStage.Running
        && _hasBegun
        && terms.Server.NowNanos - _begunNanos >= (long)WorkingAfter.TotalNanoseconds
            ? TaskStage.Working
            : _stage;

    /// <summary>How far it is, for its tracker.</summary>
    public TaskReport Report =>
        new(order.Task, order.Attempt, Stage)
        {
            Counters = Stage is TaskStage.Ready or TaskStage.Committed ? Counters.ToList() : [],
            Sum = Sum,
            Measure = Stage is TaskStage.Ready or TaskStage.Committed or TaskStage.Working ? Measure : null,
            Words = _words,
            IsInnocent = _isInnocent,
            ErrorText = Stage == TaskStage.Failed ? ErrorText : "",
        };

    /// <summary>Why the whole job fails, in words; null: it does not.</summary>
    public string? Fatal { get; private set; }

    /// <summary>What tasks of the server have in common.</summary>
    protected TaskTerms Terms => terms;

    /// <summary>The job.</summary>
    protected Job Job => job;

    /// <summary>Bytes of the longest line of input or output, which may be longer than pairs that are
    /// combined.</summary>
    protected int MostLine => Math.Max(job.Record.MostRecord, terms.Options.MostRecord);

    /// <summary>What it counts.</summary>
    protected TaskCounters Counters { get; } = new();

    /// <summary>Ends when nobody wants it any more.</summary>
    protected CancellationToken Cancel => _cancel.Token;

    /// <summary>SHA-256 of what it gave.</summary>
    protected string? Sum { get; set; }

    /// <summary>The end of what its program wrote to standard error.</summary>
    protected string ErrorText { get; set; } = "";

    /// <summary>Bytes that it took.</summary>
    protected long InputBytes { get; set; }

    /// <summary>Bytes that it gave.</summary>
    protected long OutputBytes { get; set; }

    private TaskMeasure Measure =>
        new(terms.Server.NowNanos - _begunNanos, _readyNanos - _begunNanos, InputBytes, OutputBytes);

    /// <summary>Nobody wants it any more.</summary>
    public void Dispose()
    {
        if (!_isDropped)
        {
            // What runs for it looks at the token until it has ended, so that is not disposed of: it has no timer.
            _isDropped = true;
            _cancel.Cancel();
            Release();
        }
    }

    /// <summary>What it keeps is not needed any more.</summary>
    protected abstract void Release();

    /// <summary>It has what it waited for, and works from now on.</summary>
    protected void Begin() => (_hasBegun, _begunNanos) = (true, terms.Server.NowNanos);

    /// <summary>It is further than before.</summary>
    protected void Become(TaskStage stage)
    {
        if (!_isDropped)
        {
            if (stage == TaskStage.Ready)
            {
                _readyNanos = terms.Server.NowNanos;
                Count();
            }

            _stage = stage;
            onChanged();
        }
    }

    /// <summary>Tells the server's counters what it has done.</summary>
    protected abstract void Count();

    /// <summary>It came to nothing.</summary>
    protected void Fail(SinkEnd end)
    {
        if (!_isDropped && Stage != TaskStage.Failed)
        {
            (_words, _isInnocent) = (end.Words, end.IsInnocent);
            terms.Counters.AttemptsFailed.Add();
            Fatal = end.IsFatal ? $"{JobName.OfTask(job.Number, this is MapAttempt, order.Task)}: {end.Words}" : null;
            Release();
            Become(TaskStage.Failed);
        }
    }

    /// <summary>Has a program work until it ends, and keeps the end of its standard error.</summary>
    /// <param name="use">What it is for.</param>
    /// <param name="function">The program.</param>
    /// <param name="suffix">What is behind the attempt's name in that of its folder.</param>
    /// <param name="environment">What it is told of its task.</param>
    /// <param name="give">Gives its input to what takes a piece of it, until that says that it takes no more.</param>
    /// <param name="take">Gets a piece of its output, valid until it ends; says why it cannot take more.</param>
    /// <returns>Why it came to nothing; null: it did not.</returns>
    protected async ValueTask<SinkEnd?> RunProgramAsync(
        ProgramUse use,
        JobFunction function,
        string suffix,
        IReadOnlyList<string> environment,
        Func<TextTaker, ValueTask<SinkEnd?>> give,
        TextTaker take
    )
    {
        (ProgramRun? started, SinkEnd? refused) = await terms.Programs.StartAsync(
            use,
            job,
            function,
            JobName.OfAttempt(job.Number, isMap: use != ProgramUse.Reduce, order.Task, order.Attempt) + suffix,
            environment,
            Counters,
            Cancel
        );
        if (started is null)
        {
            return refused;
        }

        using ProgramRun program = started;
        using CancellationTokenRegistration killed = Cancel.UnsafeRegister(
            static p => ((ProgramRun)p!).Kill(),
            program
        );
        Task<SinkEnd?> output = program.ReadAsync(take).AsTask();
        SinkEnd? end = await give(async text => await program.WriteAsync(text) ? null : SinkEnd.NoMore);
        end = end == SinkEnd.NoMore ? null : end;
        if (end is not null)
        {
            program.Kill();
        }

        program.CompleteInput();
        SinkEnd? wrong = await output;
        (SinkEnd? failure, string errors) = await program.EndAsync();
        ErrorText = errors;
        return end ?? wrong ?? failure;
    }

    /// <summary>Gives a file that is ready its name, and puts its pairs where they go.</summary>
    protected async ValueTask CommitAsync(OutputFile file, Func<bool> mayPut)
    {
        if (Stage != TaskStage.Ready || _isCommitting)
        {
            return;
        }

        _isCommitting = true;
        SinkEnd? end = await file.CommitAsync();
        if (end is null && file.IsNeeded && job.Description.Pairs is { } pairs)
        {
            end = await new PairPutter(terms, job, pairs, mayPut, Cancel).PutAsync(order.Task, file.Path, MostLine);
        }

        _isCommitting = false;
        if (end is null)
        {
            Become(TaskStage.Committed);
        }
        else
        {
            Fail(end);
        }
    }
}
