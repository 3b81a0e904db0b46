using CamCube.Runtime.Watching;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Observing;

/// <summary>
/// Warns of callbacks that run long: of each service at once, then once a minute with a count. Those that hang have
/// lines of their own. One thread.
/// </summary>
internal sealed class SlowCallbacks(TimeSpan limit, TimeSpan hungAfter, ILogger logger)
{
    private static readonly long QuietNanos = (long)TimeSpan.FromMinutes(1).TotalNanoseconds;
    private readonly long _limitNanos = limit.Ticks * 100;
    private readonly long _hungNanos = hungAfter.Ticks * 100;
    private readonly Dictionary<string, Record> _records = new(StringComparer.Ordinal);
    private CallbackSight? _last;

    /// <summary>A look at the loop: in this callback, or in none. Told in order of time.</summary>
    public void See(CallbackSight? callback, long nanos)
    {
        // The same callback is seen for longer and longer; what is seen for less time is another one.
        if (
            _last is { } last
            && last.Nanos >= _limitNanos
            && last.Nanos < _hungNanos
            && (callback is not { } now || now.Nanos < last.Nanos)
        )
        {
            Note(last, nanos);
        }

        _last = callback;
        foreach (Record record in _records.Values)
        {
            if (record.Count > 0 && nanos - record.ToldNanos >= QuietNanos)
            {
                Tell(record, nanos);
            }
        }
    }

    private void Note(CallbackSight callback, long nanos)
    {
        if (!_records.TryGetValue(callback.Service, out Record? record))
        {
            _records[callback.Service] = record = new Record { ToldNanos = nanos - QuietNanos };
        }

        record.Count++;
        record.Longest = record.Longest is { } longest && longest.Nanos > callback.Nanos ? longest : callback;
        if (nanos - record.ToldNanos >= QuietNanos)
        {
            Tell(record, nanos);
        }
    }

    private void Tell(Record record, long nanos)
    {
        CallbackSight longest = record.Longest!.Value;
        HostingLog.SlowCallback(logger, longest.Name, longest.Server, longest.Nanos / 1_000_000, record.Count);
        (record.Count, record.Longest, record.ToldNanos) = (0, null, nanos);
    }

    private sealed class Record
    {
        public long Count { get; set; }

        public CallbackSight? Longest { get; set; }

        public long ToldNanos { get; set; }
    }
}
