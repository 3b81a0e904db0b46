using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Engine;

/// <summary>One round of OnReturningAsync over all services of a server: ends when all have ended, or the time is over.</summary>
internal sealed class ReturnRound(ServerRuntime server, Action completed)
{
    private readonly List<ServiceSlot> _slots = [];
    private int _open = 1;
    private bool _ended;

    public void Add(ServiceSlot slot) => _slots.Add(slot);

    public void Begin(TimeSpan timeout)
    {
        ServiceView core = server.Host.SlotAt(0).View;
        foreach (ServiceSlot slot in _slots)
        {
            _open++;
            ServiceView view = slot.View;
            server.RunControl(view, CallbackKind.OnReturning, async () =>
            {
                try
                {
                    await view.Slot.Instance.OnReturningAsync().ConfigureAwait(true);
                }
                finally
                {
                    // A service that throws is a fault of its own and must not keep the keys from the others.
                    EndOne();
                }
            });
        }

        if (_open > 1)
        {
            new LoopTimer(server, core, End).Arm(timeout);
        }

        EndOne();
    }

    private void EndOne()
    {
        if (--_open == 0)
        {
            End();
        }
    }

    private void End()
    {
        if (_ended)
        {
            return;
        }

        _ended = true;
        completed();
    }
}
