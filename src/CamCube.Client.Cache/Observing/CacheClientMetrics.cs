using System.Diagnostics.Metrics;

namespace CamCube.Client.Cache.Observing;

/// <summary>The instruments of the meter <see cref="MeterName"/>. Any thread.</summary>
internal sealed class CacheClientMetrics
{
    /// <summary>The name to listen for.</summary>
    public const string MeterName = "CamCube.Client.Cache";

    private readonly Counter<long> _hits;
    private readonly Counter<long> _misses;
    private readonly Counter<long> _errors;
    private readonly Histogram<double> _duration;
    private readonly TimeProvider _time;

    public CacheClientMetrics(IMeterFactory factory, TimeProvider time)
    {
        Meter meter = factory.Create(MeterName);
        _time = time;
        _hits = meter.CreateCounter<long>("camcube.client.cache.hits", "{read}", "Reads that found the entry.");
        _misses = meter.CreateCounter<long>(
            "camcube.client.cache.misses",
            "{read}",
            "Reads that did not find the entry."
        );
        _errors = meter.CreateCounter<long>(
            "camcube.client.cache.errors",
            "{operation}",
            "Operations that failed, whether the caller was told or not; by reason."
        );
        _duration = meter.CreateHistogram<double>(
            "camcube.client.cache.duration",
            "s",
            "Time of an operation with all its attempts; by operation."
        );
    }

    /// <summary>A read ended.</summary>
    public void Found(bool isHit) => (isHit ? _hits : _misses).Add(1);

    /// <summary>An operation failed.</summary>
    public void Failed(CacheFailure failure) =>
        _errors.Add(
            1,
            new KeyValuePair<string, object?>(
                "reason",
                failure switch
                {
                    CacheFailure.NoServer => "no_server",
                    CacheFailure.Refused => "refused",
                    _ => "too_large",
                }
            )
        );

    /// <summary>The instant an operation begins; 0 if nobody listens.</summary>
    public long Begin() => _duration.Enabled ? _time.GetTimestamp() : 0;

    /// <summary>The operation ended.</summary>
    /// <param name="began">From <see cref="Begin"/>.</param>
    /// <param name="operation">Its name, a constant.</param>
    public void End(long began, string operation)
    {
        if (began != 0)
        {
            _duration.Record(
                _time.GetElapsedTime(began).TotalSeconds,
                new KeyValuePair<string, object?>("operation", operation)
            );
        }
    }
}
