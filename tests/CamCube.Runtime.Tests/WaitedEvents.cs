using System.Diagnostics;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Tests;

/// <summary>Events of a host, whose changes a test waits for. Any thread.</summary>
internal sealed class WaitedEvents : IServerEvents
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly SemaphoreSlim _changed = new(0);
    private readonly List<Exception> _faults = [];
    private int _restarts;

    public List<Exception> Faults
    {
        get
        {
            lock (_faults)
            {
                return [.. _faults];
            }
        }
    }

    public int Restarts => Volatile.Read(ref _restarts);

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
    {
        lock (_faults)
        {
            _faults.Add(exception);
        }

        _changed.Release();
    }

    public void ServiceRestarted(Coordinate server, string service)
    {
        Interlocked.Increment(ref _restarts);
        _changed.Release();
    }

    public void TopologyChanged(Coordinate server, TopologyChange change) => _changed.Release();

    public async Task Until(Func<bool> condition, string what)
    {
        long begin = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < Generous, what);

            // An event may come a moment before the status shows it, so the condition is looked at again after a while
            // too.
            await _changed.WaitAsync(TimeSpan.FromMilliseconds(50));
        }
    }
}
