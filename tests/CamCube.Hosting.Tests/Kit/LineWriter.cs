using System.Text;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>Keeps lines and lets a test wait for one. Any thread.</summary>
internal sealed class LineWriter : TextWriter
{
    private readonly Lock _lock = new();
    private readonly List<string> _lines = [];
    private readonly List<(string Start, TaskCompletionSource<string> Found)> _waiting = [];

    public override Encoding Encoding => Encoding.UTF8;

    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_lock)
            {
                return [.. _lines];
            }
        }
    }

    public override void WriteLine(string? value)
    {
        lock (_lock)
        {
            _lines.Add(value ?? "");
            foreach ((string start, TaskCompletionSource<string> found) in _waiting)
            {
                if (value?.StartsWith(start, StringComparison.Ordinal) == true)
                {
                    found.TrySetResult(value);
                }
            }
        }
    }

    public override void Write(char value) => throw new NotSupportedException("Only lines are written.");

    public Task<string> LineAsync(string start)
    {
        lock (_lock)
        {
            if (_lines.Find(line => line.StartsWith(start, StringComparison.Ordinal)) is { } line)
            {
                return Task.FromResult(line);
            }

            TaskCompletionSource<string> found = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Add((start, found));
            return found.Task;
        }
    }
}
