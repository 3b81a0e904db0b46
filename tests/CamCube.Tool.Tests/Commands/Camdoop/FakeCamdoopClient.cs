using System.Text;
using CamCube.Services.Camdoop;
using CamCube.Tool.Commands.Camdoop;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Commands.Camdoop;

/// <summary>A cube that plays some states of a job; null: it does not answer.</summary>
internal sealed class FakeCamdoopClient(params IReadOnlyList<JobState?> states) : ICamdoopClient
{
    private int _next;

    /// <summary>Files that were uploaded, with their bytes.</summary>
    public Dictionary<string, string> Files { get; } = [];

    /// <summary>Directories that were removed.</summary>
    public List<string> Removed { get; } = [];

    /// <summary>The job that was submitted.</summary>
    public JobDescription? Job { get; private set; }

    /// <summary>What a job is answered with instead of being begun.</summary>
    public ToolException? Refusal { get; init; }

    public async Task UploadAsync(Stream from, string path, CancellationToken cancel)
    {
        using var reader = new StreamReader(from, Encoding.UTF8, leaveOpen: true);
        Files.Add(path, await reader.ReadToEndAsync(cancel));
    }

    public Task RemoveAsync(string directory, CancellationToken cancel)
    {
        Removed.Add(directory);
        return Task.CompletedTask;
    }

    public Task<JobState> SubmitAsync(JobDescription job, CancellationToken cancel)
    {
        Job = job;
        return Refusal is null ? FindAsync("", cancel) : Task.FromException<JobState>(Refusal);
    }

    public Task<JobState> FindAsync(string job, CancellationToken cancel)
    {
        cancel.ThrowIfCancellationRequested();
        return states[Math.Min(_next++, states.Count - 1)] is { } state
            ? Task.FromResult(state)
            : Task.FromException<JobState>(new ToolException(ExitCode.Unavailable, "nobody answers."));
    }

    public void Dispose() { }
}
