using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>One attempt at a task, from its order until its tracker wants it no more. Loop only.</summary>
/// <param name="order">Which attempt at which task.</param>
/// <param name="onChanged">Told when its stage changes.</param>
internal abstract class TaskAttempt(TaskOrder order, Action onChanged) : IDisposable
{
    private readonly CancellationTokenSource _cancel = new();
    private bool _isDropped;
    private string? _words;
    private bool _isInnocent;
    private bool _isCommitting;

    /// <summary>Which attempt at which task.</summary>
    public TaskOrder Order => order;

    /// <summary>How far it is.</summary>
    public TaskStage Stage { get; private set; }

    /// <summary>How far it is, for its tracker.</summary>
    public TaskReport Report =>
        new(order.Task, order.Attempt, Stage)
        {
            Counters = Stage is TaskStage.Ready or TaskStage.Committed ? Counters.ToList() : [],
            Sum = Sum,
            Words = _words,
            IsInnocent = _isInnocent,
            ErrorText = Stage == TaskStage.Failed ? ErrorText : "",
        };

    /// <summary>What it counts.</summary>
    protected TaskCounters Counters { get; } = new();

    /// <summary>Ends when nobody wants it any more.</summary>
    protected CancellationToken Cancel => _cancel.Token;

    /// <summary>SHA-256 of what it gave.</summary>
    protected string? Sum { get; set; }

    /// <summary>The end of what its program wrote to standard error.</summary>
    protected string ErrorText { get; set; } = "";

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

    /// <summary>It is further than before.</summary>
    protected void Become(TaskStage stage)
    {
        if (!_isDropped)
        {
            Stage = stage;
            onChanged();
        }
    }

    /// <summary>It came to nothing.</summary>
    protected void Fail(SinkEnd end)
    {
        if (!_isDropped && Stage != TaskStage.Failed)
        {
            (_words, _isInnocent) = (end.Words, end.IsInnocent);
            Release();
            Become(TaskStage.Failed);
        }
    }

    /// <summary>Gives a file that is ready its name.</summary>
    protected async ValueTask CommitAsync(OutputFile file)
    {
        if (Stage != TaskStage.Ready || _isCommitting)
        {
            return;
        }

        _isCommitting = true;
        SinkEnd? end = await file.CommitAsync();
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
