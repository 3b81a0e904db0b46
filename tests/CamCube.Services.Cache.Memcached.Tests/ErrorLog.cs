using System.Collections.Concurrent;
using CamCube.Services.Cache.Memcached;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>Keeps what is logged as an error.</summary>
internal sealed class ErrorLog : ILogger<MemcachedFrontEnd>
{
    private readonly ConcurrentQueue<string> _errors = new();

    public IEnumerable<string> Errors => _errors;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Error;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    )
    {
        if (IsEnabled(logLevel))
        {
            _errors.Enqueue($"{eventId.Id}: {formatter(state, exception)} {exception}");
        }
    }
}
