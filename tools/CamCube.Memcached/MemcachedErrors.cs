using CamCube.Runtime;
using CamCube.Services.Cache.Memcached;
using Microsoft.Extensions.Logging;

namespace CamCube.Memcached;

/// <summary>What goes wrong in the server, on standard error; with -v warnings, too.</summary>
internal sealed class MemcachedErrors(TextWriter errors, int verbosity) : ILogger<MemcachedFrontEnd>, IServerEvents
{
    private readonly TaskCompletionSource<Exception> _failed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile int _verbosity = verbosity;

    /// <summary>Completes with what the front end threw, when that ended it.</summary>
    public Task<Exception> Failed => _failed.Task;

    /// <summary>-v as often as given, or what a client set with verbosity. Any thread.</summary>
    public int Verbosity
    {
        get => _verbosity;
        set => _verbosity = value;
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) =>
        logLevel
        >= (
            _verbosity > 1 ? LogLevel.Debug
            : _verbosity > 0 ? LogLevel.Warning
            : LogLevel.Error
        );

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
            errors.WriteLine(formatter(state, exception) + (exception is null ? "" : $" {exception.Message}"));
        }
    }

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        errors.WriteLine($"the cache failed and {(willRestart ? "starts again, empty" : "is stopped")}: {exception}");

    public void ServiceRestarted(Coordinate server, string service) { }

    public void AgentEnded(Coordinate server, string agent, Exception exception) => _failed.TrySetResult(exception);

    public void TopologyChanged(Coordinate server, TopologyChange change) { }
}
