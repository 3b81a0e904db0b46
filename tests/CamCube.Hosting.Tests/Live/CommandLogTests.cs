using System.Collections.Concurrent;
using CamCube.Hosting.Observing;
using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Simulator.Live;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Tests.Live;

/// <summary>What the log of a live cube says of commands that throw, and of services that miss others.</summary>
public sealed class CommandLogTests
{
    [Fact]
    public async Task A_command_that_throws_a_hundred_times_is_named_in_the_log_and_does_not_flood_it()
    {
        using Lines lines = new();
        using ILoggerFactory loggers = LoggerFactory.Create(builder => builder.AddProvider(lines));
        await using LiveCube cube = new(
            new TorusShape(2, 1, 1),
            [ServiceDefinition.Of(static _ => new Thrower())],
            new ServerOptions(),
            new LoggedServerEvents(loggers, new EndedParts(), TimeProvider.System),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        for (int i = 0; i < 100; i++)
        {
            CommandResult result = await cube.GateOf(0).RunCommandAsync(new CommandCall("thrower", "throw"));
            Assert.Equal((CommandStatus.Threw, "throw threw FormatException: so it is"), (result.Status, result.Text));
        }

        ServiceStatus service = cube.GetStatus().Servers[0].Services.Single(s => s.Name == "thrower");
        Assert.Equal((ServiceState.Running, 0L, 100L), (service.State, service.Faults, service.CommandFaults));

        // One at once; another would come ten seconds later.
        string[] told = [.. lines.Texts.Where(text => text.Contains("throw", StringComparison.Ordinal))];
        Assert.InRange(told.Length, 1, 3);
        Assert.StartsWith("Command throw of service thrower on server 0,0,0 threw;", told[0], StringComparison.Ordinal);
        await cube.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task A_service_that_misses_another_is_named_in_the_log_once_and_one_that_can_do_without_is_not()
    {
        using Lines lines = new();
        using ILoggerFactory loggers = LoggerFactory.Create(builder => builder.AddProvider(lines));
        await using LiveCube cube = new(
            new TorusShape(2, 1, 1),
            [
                ServiceDefinition.Of(static _ => new Thrower()),
                ServiceDefinition.Of(static a => new Needy(a.Dependency<IDisposable>())),
                ServiceDefinition.Of(static a => new Modest(a.Dependency<IDisposable>(isOptional: true))),
            ],
            new ServerOptions(),
            new LoggedServerEvents(loggers, new EndedParts(), TimeProvider.System),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        await cube.GateOf(0).RunCommandAsync(new CommandCall("thrower", "throw"));
        Assert.Equal(
            [
                "Service needy on server 0,0,0: no service here offers IDisposable, which it needs",
                "Service needy on server 1,0,0: no service here offers IDisposable, which it needs",
            ],
            lines.Texts.Where(static text => text.Contains("offers", StringComparison.Ordinal)).Order()
        );
        await cube.StopAsync(CancellationToken.None);
    }

    [CamCubeService(0x7121, "needy")]
    private sealed class Needy(Dependency<IDisposable> other) : CamCubeService
    {
        public bool Has => other.IsAvailable;
    }

    [CamCubeService(0x7122, "modest")]
    private sealed class Modest(Dependency<IDisposable> other) : CamCubeService
    {
        public bool Has => other.IsAvailable;
    }

    [CamCubeService(0x7120, "thrower")]
    private sealed class Thrower : CamCubeService, IServiceCommands
    {
        public IReadOnlyList<ServiceCommand> Commands =>
            [ServiceCommand.Of<string>("throw", "Throws.", static _ => throw new FormatException("so it is"))];
    }

    private sealed class Lines : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<string> Texts { get; } = [];

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
        ) => Texts.Enqueue(formatter(state, exception));

        public void Dispose() { }
    }
}
