using System.Collections.Concurrent;
using CamCube.Runtime.Loop;

namespace CamCube.Runtime.Engine;

/// <summary>
/// Brings continuations of foreign tasks back to a server's loop. Installed only while control code runs, never per
/// packet. In virtual time a continuation that comes from another thread is refused: its order could not be repeated.
/// </summary>
internal sealed class LoopContext(ServerRuntime server, ServiceView? owner) : SynchronizationContext
{
    public override void Post(SendOrPostCallback d, object? state)
    {
        Continuation continuation = Continuation.Of(server, owner, d, state);
        if (server.IsOnLoop)
        {
            continuation.Post();
            return;
        }

        server.Context.Inbox.Post(continuation);
    }

    public override void Send(SendOrPostCallback d, object? state) =>
        throw new NotSupportedException(
            "Blocking on a server's loop from another thread is not supported; use IServerGate.CallAsync."
        );

    /// <summary>One continuation on its way, pooled: a body of a front end brings one for every few thousand
    /// bytes.</summary>
    private sealed class Continuation : LoopWork
    {
        private const int MostPooled = 1_024;
        private static readonly ConcurrentQueue<Continuation> Pool = new();
        private static readonly Action<object?> Go = static state => ((Continuation)state!).Run();
        private ServerRuntime _server = null!;
        private ServiceView? _owner;
        private SendOrPostCallback _callback = null!;
        private object? _state;

        public static Continuation Of(
            ServerRuntime server,
            ServiceView? owner,
            SendOrPostCallback callback,
            object? state
        )
        {
            if (!Pool.TryDequeue(out Continuation? continuation))
            {
                continuation = new Continuation();
            }

            (continuation._server, continuation._owner) = (server, owner);
            (continuation._callback, continuation._state) = (callback, state);
            return continuation;
        }

        /// <summary>On the loop.</summary>
        public void Post() => _server.PostControl(_owner, Go, this);

        public override void Execute()
        {
            // Afterwards it may be somebody else's.
            (ServerRuntime server, ServiceView? owner) = (_server, _owner);
            server.Now = Math.Max(server.Now, server.Context.NowNanos);
            if (server.Context.IsVirtual && owner is { IsStopped: false })
            {
                server.Fault(
                    owner.Slot,
                    new InvalidOperationException(
                        "A task that completed on another thread was awaited inside a server in virtual time. "
                            + "Await the server's own primitives."
                    )
                );
            }

            // After a fault, or the end of the server, it still runs, so that those who wait learn of the end.
            Post();
            if (server.IsStopped)
            {
                server.Control.Drain(int.MaxValue);
                return;
            }

            server.Context.Touched(server.Rank);
        }

        private void Run()
        {
            (SendOrPostCallback callback, object? state) = (_callback, _state);
            (_server, _owner, _callback, _state) = (null!, null, null!, null);
            if (Pool.Count < MostPooled)
            {
                Pool.Enqueue(this);
            }

            callback(state);
        }
    }
}
