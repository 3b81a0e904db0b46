using CamCube.Runtime.Engine;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Gates;

/// <summary>The way of other loops' threads into a service of one server. Its fields belong to whoever has the
/// lock.</summary>
internal sealed class SharedService<TService>(ServerGate gate, LoopLock door) : ISharedService<TService>
    where TService : class
{
    private readonly Nudge _nudge = new();
    private ServerRuntime? _server;
    private ServiceSlot? _slot;
    private object? _instance;
    private long _dueNanos;

    public TService? Enter()
    {
        door.Enter();
        ServerRuntime? server = gate.Current;
        if (server is null)
        {
            _server = null;
            return null;
        }

        if (server != _server || _slot is not { State: ServiceState.Running } || _slot.Instance != _instance)
        {
            _server = server;
            _slot = server.FindSlot(typeof(TService));
            _instance = _slot?.Instance;
        }

        // While the loop sleeps its time stands still.
        server.Now = Math.Max(server.Now, gate.Inbox.IsAsleep ? gate.Inbox.Clock() : server.Context.NowNanos);
        _dueNanos = server.Hot.Ref.Next();
        server.Running = _slot?.Index ?? -1;
        server.Control.Begin(CallbackKind.Call);
        return (TService?)_instance;
    }

    public void Fault(Exception error) => _server!.Fault(_slot!, error);

    public void Leave()
    {
        bool isEarlier = false;
        if (_server is { } server)
        {
            server.Running = -1;
            server.Control.Begin(CallbackKind.OnPacket);
            if (server.Hot.Ref.Next() < _dueNanos)
            {
                isEarlier = true;
                server.Context.Touched(server.Rank);
            }
        }

        door.Leave();
        if (isEarlier)
        {
            _nudge.Post(gate.Inbox);
        }
    }

    /// <summary>Nothing to do, but the loop does not sleep, or not on, before it has looked what is due.</summary>
    private sealed class Nudge : LoopWork
    {
        private int _isPosted;

        public void Post(LoopInbox inbox)
        {
            if (Interlocked.Exchange(ref _isPosted, 1) == 0)
            {
                inbox.Post(this);
            }
        }

        public override void Execute() => Volatile.Write(ref _isPosted, 0);
    }
}
