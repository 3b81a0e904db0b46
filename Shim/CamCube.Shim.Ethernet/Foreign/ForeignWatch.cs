namespace CamCube.Shim.Ethernet.Foreign;

/// <summary>
/// Looks once in a second what else than CamCube's frames is on the cables, on a thread of its own: opening and closing
/// an ear takes the kernel milliseconds, and reading a stranger's frames allocates. The loop only looks whether there
/// is news.
/// </summary>
internal sealed class ForeignWatch : IDisposable
{
    private const int Period = 1_000;
    private readonly ForeignEar[] _ears;
    private readonly TimeProvider _time;
    private readonly Action _wake;
    private readonly ManualResetEventSlim _stop = new();
    private readonly Thread _thread;
    private volatile bool _hasNews;

    /// <summary>Begins. The thread is in the network namespace of the one that calls.</summary>
    /// <param name="ears">One for each port, by number.</param>
    /// <param name="time">Calendar time.</param>
    /// <param name="wake">Wakes the loop.</param>
    public ForeignWatch(ForeignEar[] ears, TimeProvider time, Action wake)
    {
        (_ears, _time, _wake) = (ears, time, wake);
        // No code of a server runs on it.
#pragma warning disable RS0030
        _thread = new Thread(Run) { Name = "foreign frames", IsBackground = true };
#pragma warning restore RS0030
        _thread.Start();
    }

    /// <summary>Loop: whether to ask all ports for what is known. Once true, false until there is more.</summary>
    public bool TakeNews()
    {
        if (!_hasNews)
        {
            return false;
        }

        _hasNews = false;
        return true;
    }

    /// <summary>Loop: what is known of a port.</summary>
    public ForeignTraffic? Of(int port) => _ears[port].Known;

    /// <summary>Ends the thread and closes what it had open.</summary>
    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _stop.Dispose();
    }

    private void Run()
    {
        do
        {
            bool isNew = false;
            long now = _time.GetUtcNow().ToUnixTimeMilliseconds();
            foreach (ForeignEar ear in _ears)
            {
                isNew |= ear.Look(now);
            }

            if (isNew)
            {
                _hasNews = true;
                _wake();
            }
        } while (!_stop.Wait(Period));

        foreach (ForeignEar ear in _ears)
        {
            ear.Dispose();
        }
    }
}
