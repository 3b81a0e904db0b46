using System.Collections.Concurrent;
using CamCube.Services.Files.FrontEnds.Http;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Files.Tests.FrontEnds;

/// <summary>Keeps what a front end logs as an error: no client can make it.</summary>
internal sealed class ErrorLog : ILogger<FilesHttpFrontEnd>
{
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
            Errors.Enqueue($"{formatter(state, exception)} {exception}");
        }
    }
}
