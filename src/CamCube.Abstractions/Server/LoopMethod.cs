using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace CamCube;

/// <summary>
/// One call of an async method that has to wait (<see cref="LoopMethodBuilder{TResult}"/>), and what awaits its end.
/// Used again after its result was taken. That a loop's methods end on the loop is the rule; one that ends on another
/// thread brings its waiter back by the context, as .NET's own do.
/// </summary>
internal class LoopMethod<TResult> : IValueTaskSource<TResult>, IValueTaskSource
{
    private static readonly Action<object?> GoOn = static state => ((LoopMethod<TResult>)state!).Ended();
    private static readonly SendOrPostCallback Resume = static state => ((LoopMethod<TResult>)state!).Invoke();
    private ManualResetValueTaskSourceCore<TResult> _core;
    private SynchronizationContext? _context;
    private Action<object?>? _continuation;
    private object? _state;

    public short Version => _core.Version;

    /// <summary>The method's next step, to be given to what it awaits now.</summary>
    public static Action NextStep<TStateMachine>(ref LoopMethod<TResult>? method, ref TStateMachine stateMachine)
        where TStateMachine : IAsyncStateMachine
    {
        if (method is not Machine<TStateMachine> machine)
        {
            // The field is part of the state machine, so it is set before that is copied.
            machine = Machine<TStateMachine>.Rent();
            method = machine;
            machine.State = stateMachine;
        }

        machine.Flowing = ExecutionContext.Capture();
        return machine.Step;
    }

    public void End(TResult result) => _core.SetResult(result);

    public void Fail(Exception exception) => _core.SetException(exception);

    public TResult GetResult(short token)
    {
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException("The result of a method was taken before its end.");
        }

        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            // Whoever has its task still finds that it is not its own any more.
            _core.Reset();
            Recycle();
        }
    }

    void IValueTaskSource.GetResult(short token) => GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    )
    {
        // Throws for who has no part in it, before anything of it is changed.
        bool hasEnded = _core.GetStatus(token) != ValueTaskSourceStatus.Pending;
        if (
            (flags & ValueTaskSourceOnCompletedFlags.UseSchedulingContext) == 0
            || SynchronizationContext.Current is not { } context
        )
        {
            _core.OnCompleted(continuation, state, token, flags);
            return;
        }

        (_context, _continuation, _state) = (context, continuation, state);
        if (hasEnded)
        {
            context.Post(Resume, this);
            return;
        }

        _core.OnCompleted(GoOn, this, token, flags & ~ValueTaskSourceOnCompletedFlags.UseSchedulingContext);
    }

    /// <summary>Its result was taken.</summary>
    protected virtual void Recycle() { }

    private void Ended()
    {
        if (SynchronizationContext.Current == _context)
        {
            Invoke();
        }
        else
        {
            _context!.Post(Resume, this);
        }
    }

    private void Invoke()
    {
        (Action<object?> continuation, object? state) = (_continuation!, _state);
        (_context, _continuation, _state) = (null, null, null);
        continuation(state);
    }

    private sealed class Machine<TStateMachine> : LoopMethod<TResult>
        where TStateMachine : IAsyncStateMachine
    {
        private const int MostPooled = 256;
        private static readonly ContextCallback StepIn = static state => ((Machine<TStateMachine>)state!).Move();

        [ThreadStatic]
        private static Machine<TStateMachine>? _free;

        [ThreadStatic]
        private static int _pooled;

        private Machine<TStateMachine>? _next;
        private TStateMachine _machine = default!;

        private Machine() => Step = Go;

        public Action Step { get; }

        public ref TStateMachine State => ref _machine;

        public ExecutionContext? Flowing { get; set; }

        public static Machine<TStateMachine> Rent()
        {
            if (_free is not { } machine)
            {
                return new Machine<TStateMachine>();
            }

            (_free, machine._next) = (machine._next, null);
            _pooled--;
            return machine;
        }

        protected override void Recycle()
        {
            (_machine, Flowing) = (default!, null);
            if (_pooled < MostPooled)
            {
                (_next, _free) = (_free, this);
                _pooled++;
            }
        }

        private void Go()
        {
            ExecutionContext? flowing = Flowing;
            if (flowing is null || flowing == ExecutionContext.Capture())
            {
                Move();
            }
            else
            {
                ExecutionContext.Run(flowing, StepIn, this);
            }
        }

        private void Move() => _machine.MoveNext();
    }
}
