using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Engine;

/// <summary>
/// One round of an asynchronous callback over all services of a server: ends when each of them has ended or used up its
/// own time, so that one that hangs costs no more than its own.
/// </summary>
internal sealed class ServiceRound(CallbackKind kind, Func<ICamCubeService, ValueTask> call, Action completed)
{
    private readonly List<One> _all = [];
    private int _open = 1;

    private CallbackKind Kind => kind;

    private Func<ICamCubeService, ValueTask> Call => call;

    public void Add(ServiceSlot slot, TimeSpan most) => _all.Add(new One(this, slot.View, most));

    public void Begin()
    {
        _open += _all.Count;
        foreach (One one in _all)
        {
            one.Begin();
        }

        EndOne();
    }

    private void EndOne()
    {
        if (--_open == 0)
        {
            completed();
        }
    }

    private sealed class One(ServiceRound round, ServiceView view, TimeSpan most)
    {
        private LoopTimer? _timer;
        private bool _ended;

        public void Begin()
        {
            ServerRuntime server = view.Runtime;
            server.RunControl(
                view,
                round.Kind,
                async () =>
                {
                    try
                    {
                        await round.Call(view.Slot.Instance).ConfigureAwait(true);
                    }
                    finally
                    {
                        // A service that throws is a fault of its own and must not hold up the others.
                        End();
                    }
                }
            );
            if (!_ended)
            {
                // The link-state service's: it must come although the service has ended meanwhile.
                _timer = new LoopTimer(server, server.Host.SlotAt(0).View, End);
                _timer.Arm(most);
            }
        }

        private void End()
        {
            if (!_ended)
            {
                _ended = true;
                _timer?.Cancel();
                round.EndOne();
            }
        }
    }
}
