namespace CamCube.Runtime.Workers;

/// <summary>One piece of work of a service off the loop, pooled per kind of work and instance.</summary>
internal sealed class OffloadCall<TState, TResult> : AwaitedJob<OffloadResult<TResult>>
{
    private readonly ServerTimer _timer;
    private Func<TState, CancellationToken, TResult> _work = null!;
    private TState _argument = default!;
    private CancellationTokenSource _cancel = new();
    private OffloadResult<TResult> _outcome;
    private OffloadClass _class;
    private bool _hasOutcome;
    private bool _isTooDear;

    public OffloadCall(IWorkOwner owner)
        : base(owner) => _timer = owner.CreateTimer(OnTimer);

    public ValueTask<OffloadResult<TResult>> Start(
        Func<TState, CancellationToken, TResult> work,
        TState state,
        OffloadOptions options,
        TimeSpan deadline
    )
    {
        (_work, _argument, _class, _hasOutcome) = (work, state, options.Class, false);
        if (!_cancel.TryReset())
        {
            _cancel = new CancellationTokenSource();
        }

        ValueTask<OffloadResult<TResult>> task = Open();
        if (Owner.IsVirtual)
        {
            return Simulate(options.Cost, deadline) ? task : Refuse();
        }

        if (!Owner.Work.TryAdd((WorkClass)_class, this))
        {
            return Refuse();
        }

        _timer.Arm(deadline);
        return task;
    }

    public override string Describe() => $"{_work?.Method.DeclaringType?.FullName}.{_work?.Method.Name}";

    public override void Run()
    {
        try
        {
            _outcome = new OffloadResult<TResult>(OffloadStatus.Done, _work(_argument, _cancel.Token), null);
        }
        catch (Exception e)
        {
            _outcome = new OffloadResult<TResult>(OffloadStatus.Failed, default, e);
        }
    }

    /// <summary>Back from the worker; on the loop, or after its end anywhere.</summary>
    public override void Execute()
    {
        _hasOutcome = true;
        if (Owner.Inbox.IsClosed)
        {
            DisposeOutcome();
            return;
        }

        IsWithLane = false;
        if (IsPending)
        {
            Owner.BeginResult();
            _timer.Cancel();
            Finish(OffloadStatus.Done);
            Owner.EndResult();
        }
        else
        {
            DisposeOutcome();
            TryRecycle();
        }
    }

    public override void Stop() => Finish(OffloadStatus.Stopped);

    protected override void Recycle()
    {
        (_work, _argument, _outcome) = (null!, default!, default);
        Owner.Jobs.PoolOf<OffloadCall<TState, TResult>>().Push(this);
    }

    private ValueTask<OffloadResult<TResult>> Refuse()
    {
        Withdraw();
        return new ValueTask<OffloadResult<TResult>>(new OffloadResult<TResult>(OffloadStatus.Busy, default, null));
    }

    // In virtual time nothing may come from another thread.
    private bool Simulate(TimeSpan cost, TimeSpan deadline)
    {
        if (!Owner.Work.TryBeginSimulated(_class))
        {
            return false;
        }

        // What the work awaits by blocking must not wait for the loop that it blocks.
        SynchronizationContext? context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            Run();
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }

        (_hasOutcome, _isTooDear) = (true, cost > deadline);
        Owner.ArmInTrueTime(_timer, (_isTooDear ? deadline : cost).Ticks * 100);
        return true;
    }

    private void OnTimer() => Finish(Owner.IsVirtual && !_isTooDear ? OffloadStatus.Done : OffloadStatus.TimedOut);

    private void Finish(OffloadStatus status)
    {
        if (!IsPending)
        {
            return;
        }

        if (Owner.IsVirtual)
        {
            Owner.Work.EndSimulated(_class);
        }

        OffloadResult<TResult> outcome = _outcome;
        if (status != OffloadStatus.Done)
        {
            GiveUp(status);
            outcome = new OffloadResult<TResult>(status, default, null);
        }

        End(outcome);
    }

    // Nobody waits for it from now on, whatever it does.
    private void GiveUp(OffloadStatus status)
    {
        if (_hasOutcome)
        {
            DisposeOutcome();
            return;
        }

        if (Owner.Work.TryTakeOut((WorkClass)_class, this, out int lost))
        {
            return;
        }

        try
        {
            _cancel.Cancel();
        }
        catch (AggregateException)
        {
            // What the work registered at its token threw; it is nobody's callback, and the answer is given all the
            // same.
            Owner.CountLateFault();
        }

        if (status == OffloadStatus.TimedOut && lost > 0)
        {
            Owner.TellOverrun(Describe(), lost);
        }
    }

    private void DisposeOutcome()
    {
        try
        {
            (_outcome.Value as IDisposable)?.Dispose();
        }
        catch (Exception)
        {
            // Nobody is left to be told.
            Owner.CountLateFault();
        }

        _outcome = default;
    }
}
