using CamCube.Services.Camdoop;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary>What a run of a job asks of the cube. What goes wrong is a <see cref="Syntax.ToolException"/>, with
/// <see cref="Syntax.ExitCode.Unavailable"/> where the same may be asked again.</summary>
internal interface ICamdoopClient : IDisposable
{
    /// <summary>Makes a file of the file store, and the directories above it.</summary>
    /// <param name="from">Its bytes; disposed of by who calls.</param>
    /// <param name="path">Where.</param>
    /// <param name="cancel">Ctrl+C.</param>
    Task UploadAsync(Stream from, string path, CancellationToken cancel);

    /// <summary>Deletes a directory of the file store with all in it.</summary>
    Task RemoveAsync(string directory, CancellationToken cancel);

    /// <summary>Begins a job. Answers it as it begins, with its name.</summary>
    Task<JobState> SubmitAsync(JobDescription job, CancellationToken cancel);

    /// <summary>How a job is doing, with its counters and failures.</summary>
    Task<JobState> FindAsync(string job, CancellationToken cancel);
}
