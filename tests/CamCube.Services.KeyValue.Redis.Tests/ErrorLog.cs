using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>Keeps what is logged as an error.</summary>
internal sealed class ErrorLog : ILogger<RedisFrontEnd>
{
    public ConcurrentQueue<string> Errors { get; } = new();

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
            Errors.Enqueue($"{eventId.Id}: {formatter(state, exception)} {exception}");
        }
    }
}
