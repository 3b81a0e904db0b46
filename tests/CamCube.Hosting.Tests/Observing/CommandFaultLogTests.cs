using CamCube.Hosting.Observing;
using CamCube.Testing;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Tests.Observing;

public sealed class CommandFaultLogTests
{
    [Fact]
    public void A_command_that_throws_is_named_at_once_and_then_at_most_now_and_then()
    {
        Lines lines = new();
        TestClock clock = new();
        CommandFaultLog log = new(lines, clock);
        for (int i = 0; i < 100; i++)
        {
            log.Add(new Coordinate(0, 1, 0), "mistakes", "break", new FormatException("so it is"));
        }

        log.Add(default, "mistakes", "other", new FormatException());
        clock.Advance(CommandFaultLog.Pause);
        log.Add(default, "mistakes", "break", new FormatException());
        Assert.Equal(
            [
                "Command break of service mistakes on server 0,1,0 threw; who asked was told, "
                    + "and the service goes on. Since the last such line it threw 0 times more",
                "Command other of service mistakes on server 0,0,0 threw; who asked was told, "
                    + "and the service goes on. Since the last such line it threw 0 times more",
                "Command break of service mistakes on server 0,0,0 threw; who asked was told, "
                    + "and the service goes on. Since the last such line it threw 99 times more",
            ],
            lines.Texts
        );
    }

    private sealed class Lines : ILogger
    {
        public List<string> Texts { get; } = [];

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
            Assert.IsType<FormatException>(exception);
            Texts.Add(formatter(state, exception));
        }
    }
}
