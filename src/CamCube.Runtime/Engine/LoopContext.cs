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
        if (server.IsOnLoop)
        {
            server.PostControl(owner, s => d(s), state);
            return;
        }

        server.Context.Inbox.Post(new Foreign(server, owner, d, state));
    }

    public override void Send(SendOrPostCallback d, object? state) =>
        throw new NotSupportedException(
            "Blocking on a server's loop from another thread is not supported; use IServerGate.CallAsync."
        );

    private sealed class Foreign(ServerRuntime server, ServiceView? owner, SendOrPostCallback callback, object? state)
        : LoopWork
    {
        public override void Execute()
        {
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
            server.PostControl(owner, s => callback(s), state);
            if (server.IsStopped)
            {
                server.Control.Drain(int.MaxValue);
                return;
            }

            server.Context.Touched(server.Rank);
        }
    }
}
