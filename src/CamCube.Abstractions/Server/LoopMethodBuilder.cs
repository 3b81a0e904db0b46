using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace CamCube;

/// <summary>
/// For <see cref="AsyncMethodBuilderAttribute"/> on an async method that runs on a loop and returns
/// <see cref="ValueTask{TResult}"/>. Such a method allocates nothing, once as many have run as run at once. Who awaits
/// it goes on at once and within the same piece of work, if that belongs to the service it had awaited it in, and by
/// its context otherwise. .NET's own builders post each continuation to the context anew, so that of five methods that
/// await each other each takes a turn of the loop. To be awaited at once and once.
/// </summary>
/// <typeparam name="TResult">What the method returns.</typeparam>
/// <remarks>Its members are for the compiler.</remarks>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public struct LoopMethodBuilder<TResult>
{
    private LoopMethod<TResult>? _method;
    private TResult _result;

    /// <summary>What the caller gets.</summary>
    public readonly ValueTask<TResult> Task =>
        _method is { } method ? new ValueTask<TResult>(method, method.Version) : new ValueTask<TResult>(_result);

    internal readonly ValueTask Plain => _method is { } method ? new ValueTask(method, method.Version) : default;

    /// <summary>One for a call.</summary>
    public static LoopMethodBuilder<TResult> Create() => default;

    /// <summary>The method begins.</summary>
    public readonly void Start<TStateMachine>(ref TStateMachine stateMachine)
        where TStateMachine : IAsyncStateMachine => default(AsyncValueTaskMethodBuilder).Start(ref stateMachine);

    /// <summary>Not called for structs.</summary>
    public readonly void SetStateMachine(IAsyncStateMachine stateMachine) { }

    /// <summary>The method has ended.</summary>
    public void SetResult(TResult result)
    {
        if (_method is { } method)
        {
            method.End(result);
        }
        else
        {
            _result = result;
        }
    }

    /// <summary>The method has thrown.</summary>
    public void SetException(Exception exception) => (_method ??= new LoopMethod<TResult>()).Fail(exception);

    /// <summary>The method waits.</summary>
    public void AwaitOnCompleted<TAwaiter, TStateMachine>(ref TAwaiter awaiter, ref TStateMachine stateMachine)
        where TAwaiter : INotifyCompletion
        where TStateMachine : IAsyncStateMachine =>
        awaiter.OnCompleted(LoopMethod<TResult>.NextStep(ref _method, ref stateMachine));

    /// <summary>The method waits.</summary>
    public void AwaitUnsafeOnCompleted<TAwaiter, TStateMachine>(ref TAwaiter awaiter, ref TStateMachine stateMachine)
        where TAwaiter : ICriticalNotifyCompletion
        where TStateMachine : IAsyncStateMachine =>
        awaiter.UnsafeOnCompleted(LoopMethod<TResult>.NextStep(ref _method, ref stateMachine));
}

/// <summary>The same for methods that return <see cref="ValueTask"/> (<see cref="LoopMethodBuilder{TResult}"/>).
/// </summary>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public struct LoopMethodBuilder
{
    private LoopMethodBuilder<bool> _builder;

    /// <summary>What the caller gets.</summary>
    public readonly ValueTask Task => _builder.Plain;

    /// <summary>One for a call.</summary>
    public static LoopMethodBuilder Create() => default;

    /// <summary>The method begins.</summary>
    public readonly void Start<TStateMachine>(ref TStateMachine stateMachine)
        where TStateMachine : IAsyncStateMachine => default(AsyncValueTaskMethodBuilder).Start(ref stateMachine);

    /// <summary>Not called for structs.</summary>
    public readonly void SetStateMachine(IAsyncStateMachine stateMachine) { }

    /// <summary>The method has ended.</summary>
    public void SetResult() => _builder.SetResult(true);

    /// <summary>The method has thrown.</summary>
    public void SetException(Exception exception) => _builder.SetException(exception);

    /// <summary>The method waits.</summary>
    public void AwaitOnCompleted<TAwaiter, TStateMachine>(ref TAwaiter awaiter, ref TStateMachine stateMachine)
        where TAwaiter : INotifyCompletion
        where TStateMachine : IAsyncStateMachine => _builder.AwaitOnCompleted(ref awaiter, ref stateMachine);

    /// <summary>The method waits.</summary>
    public void AwaitUnsafeOnCompleted<TAwaiter, TStateMachine>(ref TAwaiter awaiter, ref TStateMachine stateMachine)
        where TAwaiter : ICriticalNotifyCompletion
        where TStateMachine : IAsyncStateMachine => _builder.AwaitUnsafeOnCompleted(ref awaiter, ref stateMachine);
}
