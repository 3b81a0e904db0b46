using System.Collections.Concurrent;
using System.Threading.Tasks.Sources;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Gates;

/// <summary>One call from another thread, pooled per type of call: carries the argument in and the result
/// out.</summary>
internal sealed class GateCall<TService, TArgument, TResult> : LoopWork, IValueTaskSource<TResult>
    where TService : class
{
    private const int MostPooled = 4_096;
    private static readonly ConcurrentQueue<GateCall<TService, TArgument, TResult>> Pool = new();
    private readonly Action _onDone;
    private ManualResetValueTaskSourceCore<TResult> _core;
    private ServerGate _gate = null!;
    private LoopCall<TService, TArgument, TResult> _call = null!;
    private TArgument _argument = default!;
    private ServiceView? _view;
    private ValueTask<TResult> _running;

    private GateCall()
    {
        _onDone = OnDone;
    }

    /// <summary>Starts a call of the service that implements TService.</summary>
    public static ValueTask<TResult> Start(
        ServerGate gate,
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
    {
        if (!Pool.TryDequeue(out GateCall<TService, TArgument, TResult>? node))
        {
            node = new GateCall<TService, TArgument, TResult>();
        }

        // The caller continues on a pool thread, not on the loop.
        node._core.RunContinuationsAsynchronously = !gate.Inbox.ContinuesInline;
        (node._gate, node._call, node._argument) = (gate, call, argument);
        var task = new ValueTask<TResult>(node, node._core.Version);
        gate.Inbox.Post(node);
        return task;
    }

    public override void Execute()
    {
        ServerRuntime? server = _gate.Current;
        ServiceSlot? slot = server?.FindSlot(typeof(TService));
        if (server is null || slot?.Instance is not TService service)
        {
            Fail(new ServiceUnavailableException(typeof(TService).Name));
            return;
        }

        server.Now = Math.Max(server.Now, server.Context.NowNanos);
        _view = slot.View;
        ControlScope outer = server.EnterControl(slot.View, CallbackKind.Call);
        try
        {
            _running = _call(service, _argument);
            if (_running.IsCompleted)
            {
                OnDone();
            }
            else
            {
                _running.GetAwaiter().UnsafeOnCompleted(_onDone);
            }
        }
        catch (Exception e)
        {
            // A call that throws is a fault of the service, as a packet callback that throws is. Whatever comes of
            // that, nobody waits for ever.
            try
            {
                server.Fault(slot, e);
            }
            finally
            {
                Fail(new ServiceUnavailableException(typeof(TService).Name));
            }
        }
        finally
        {
            server.LeaveControl(outer);
            server.Context.Touched(server.Rank);
        }
    }

    TResult IValueTaskSource<TResult>.GetResult(short token)
    {
        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            _core.Reset();
            if (Pool.Count < MostPooled)
            {
                Pool.Enqueue(this);
            }
        }
    }

    ValueTaskSourceStatus IValueTaskSource<TResult>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<TResult>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);

    private void OnDone()
    {
        ValueTask<TResult> running = _running;
        _running = default;
        TResult result;
        try
        {
            result = running.GetAwaiter().GetResult();
        }
        catch (Exception e)
        {
            try
            {
                _view!.Runtime.FaultOf(_view, e);
            }
            finally
            {
                Fail(new ServiceUnavailableException(typeof(TService).Name));
            }

            return;
        }

        ServerGate gate = _gate;
        Clear();
        _core.SetResult(result);
        gate.Ended();
    }

    private void Fail(Exception e)
    {
        ServerGate gate = _gate;
        Clear();
        _core.SetException(e);
        gate.Ended();
    }

    private void Clear() => (_gate, _call, _argument, _view) = (null!, null!, default!, null);
}
