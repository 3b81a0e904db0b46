using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace CamCube.Tests;

/// <summary>Keeps what is logged as an error: no client can make a front end say one. Compiled into each test project
/// of a front end.</summary>
/// <typeparam name="T">What logs.</typeparam>
internal sealed class ErrorLog<T> : ILogger<T>
{
    /// <summary>Each with its event's number, and what was thrown.</summary>
    public ConcurrentQueue<string> Errors { get; } = [];

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
