using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using System.Threading.Channels;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using Microsoft.Extensions.Logging;

namespace CamCube.Tool.Dev;

/// <summary>
/// In JSON, a line for each event, and what the host logs, too. Servers log on their loops, which a pipe that nobody
/// reads must not stop: of the log only so many lines wait, and how many were left out is said. Any thread.
/// </summary>
internal sealed partial class DevJson : IDevVoice, ILoggerProvider
{
    private const int MostWaiting = 1_000;

    // What an event does not have is not there.
    private static readonly JsonSerializerOptions Options = new(ToolJson.Options)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    private readonly TextWriter _output;
    private readonly Lock _lock = new();
    private readonly Channel<object> _log = Channel.CreateBounded<object>(MostWaiting);
    private readonly Task _writing;
    private long _leftOut;

    public DevJson(TextWriter output)
    {
        _output = output;
        _writing = WriteLogAsync();
    }

    public void Building(string project) => Write(new { Event = "building", Project = project });

    public void Built(string name, BuildResult result) =>
        Write(
            new
            {
                Event = result.IsOk ? "built" : "failed",
                Stage = result.IsOk ? null : "build",
                Project = name,
                Seconds = Rounded(result.Took),
                Diagnostics = result.Lines.Select(DiagnosticOf).ToArray(),
            }
        );

    public void Waits() => Write(new { Event = "waiting" });

    public void Started(string service, int servers, string url) =>
        Write(
            new
            {
                Event = "started",
                Service = service,
                Servers = servers,
                Url = url,
            }
        );

    public void Examples(IReadOnlyList<string> lines) => Write(new { Event = "examples", Commands = lines });

    public void Changed(IReadOnlyList<string> files) => Write(new { Event = "changed", Files = files });

    public void Reloaded(ReloadAnswer answer, TimeSpan took) =>
        Write(
            new
            {
                Event = answer.Problem is null ? "reloaded" : "failed",
                Stage = answer.Problem is null ? null : "reload",
                Message = answer.Problem,
                answer.Service,
                answer.Version,
                answer.Hash,
                Seconds = Rounded(took),
                answer.Servers,
                answer.Notes,
            }
        );

    public void Failed(string line) => Write(new { Event = "failed", Message = line });

    public ILogger CreateLogger(string categoryName) => new HostLog(this, categoryName);

    public void Dispose() => _log.Writer.TryComplete();

    /// <summary>Writes what waits, and no more: the host has ended.</summary>
    public Task EndAsync()
    {
        Dispose();
        return _writing;
    }

    private static double Rounded(TimeSpan time) => Math.Round(time.TotalSeconds, 3);

    private static object DiagnosticOf(string line)
    {
        Match match = Diagnostic().Match(line);
        return !match.Success
            ? new { Message = line }
            : new
            {
                File = match.Groups["file"].Value,
                Line = NumberOf(match.Groups["line"]),
                Column = NumberOf(match.Groups["column"]),
                Severity = match.Groups["severity"].Value,
                Code = match.Groups["code"].Value,
                Message = match.Groups["message"].Value,
            };
    }

    private static int? NumberOf(Group group) => int.TryParse(group.Value, out int number) ? number : null;

    private async Task WriteLogAsync()
    {
        await foreach (object line in _log.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            Write(line);
            if (Interlocked.Exchange(ref _leftOut, 0) is > 0 and long more)
            {
                Write(new { Event = "warning", Message = $"{more} lines of the log were left out: nobody read them." });
            }
        }
    }

    private void Write(object line)
    {
        lock (_lock)
        {
            _output.WriteLine(JsonSerializer.Serialize(line, Options));
            _output.Flush();
        }
    }

    [GeneratedRegex(
        @"^(?<file>.*?)(\((?<line>\d+)(,(?<column>\d+))?[\d,]*\))?\s?: "
            + @"(?<severity>error|warning) (?<code>\w+): (?<message>.*)$"
    )]
    private static partial Regex Diagnostic();

    private sealed class HostLog(DevJson voice, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel is >= LogLevel.Warning and < LogLevel.None;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter
        )
        {
            if (!IsEnabled(logLevel))
            {
                return;
            }

            var line = new
            {
                Event = logLevel == LogLevel.Warning ? "warning" : "fault",
                Service = ValueOf(state, "Service"),
                Server = ValueOf(state, "Server"),
                Message = formatter(state, exception),
                Exception = exception is null ? null : $"{exception.GetType().Name}: {exception.Message}",
                Stack = exception?.StackTrace,
                Category = category,
                Id = eventId.Id,
            };
            if (!voice._log.Writer.TryWrite(line))
            {
                Interlocked.Increment(ref voice._leftOut);
            }
        }

        private static string? ValueOf(object? state, string name) =>
            (state as IEnumerable<KeyValuePair<string, object?>>)
                ?.FirstOrDefault(value => value.Key == name)
                .Value?.ToString();
    }
}
