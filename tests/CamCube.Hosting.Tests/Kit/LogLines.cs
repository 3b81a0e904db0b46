using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>Keeps what is logged, as lines of level and text. Any thread.</summary>
internal sealed class LogLines<T> : ILogger<T>
{
    private readonly Journal _journal = new();

    public IReadOnlyList<string> Lines => _journal.Entries;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    ) => _journal.Add($"{logLevel}: {formatter(state, exception)}");
}
