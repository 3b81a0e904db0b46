using CamCube.Services.Camdoop;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary>A host's cube: files over the file store's front end, jobs by the commands of any server that has
/// MapReduce.</summary>
/// <param name="files">The file store.</param>
/// <param name="jobs">MapReduce.</param>
internal sealed class CubeCamdoopClient(FilesClient files, CamdoopHost jobs) : ICamdoopClient
{
    /// <inheritdoc/>
    public async Task UploadAsync(Stream from, string path, CancellationToken cancel)
    {
        var moving = new MovingBytes(static _ => { });
        using var content = new MovingContent(from, moving);
        await files.PutAsync(path, content, moving, cancel);
    }

    /// <inheritdoc/>
    public Task RemoveAsync(string directory, CancellationToken cancel) =>
        files.DeleteAsync(directory, recursive: true, cancel);

    /// <inheritdoc/>
    public Task<JobState> SubmitAsync(JobDescription job, CancellationToken cancel) => jobs.RunAsync(job, cancel);

    /// <inheritdoc/>
    public Task<JobState> FindAsync(string job, CancellationToken cancel) => jobs.FindAsync(job, cancel);

    /// <inheritdoc/>
    public void Dispose()
    {
        files.Dispose();
        jobs.Dispose();
    }
}
