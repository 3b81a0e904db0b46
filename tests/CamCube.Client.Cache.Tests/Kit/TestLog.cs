using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>Keeps what the cache logs, as "id: text".</summary>
internal sealed class TestLog : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<string> _lines = new();

    public IReadOnlyList<string> Lines => [.. _lines];

    public IEnumerable<string> Of(int id) => Lines.Where(line => line.StartsWith($"{id}:", StringComparison.Ordinal));

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    )
    {
        if (eventId.Id is >= 6200 and < 6220)
        {
            _lines.Enqueue($"{eventId.Id}: {formatter(state, exception)}");
        }
    }

    public void Dispose() { }
}
