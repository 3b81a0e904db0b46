using CamCube.Services.Camdoop;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>What a command line of Hadoop Streaming asks for. Immutable.</summary>
/// <param name="Job">The job, without the files that are uploaded first: they come to its
/// <see cref="JobDescription.Files"/> with the paths they have got.</param>
/// <param name="Uploads">Files of this machine that its programs want.</param>
internal sealed record StreamingJob(JobDescription Job, IReadOnlyList<StreamingUpload> Uploads)
{
    /// <summary>The job's assembly, if it is a file of this machine; null: it has none, or it is in the file
    /// store.</summary>
    public StreamingUpload? Assembly { get; init; }

    /// <summary>Whether the user wants to see how the command line was understood.</summary>
    public bool IsVerbose { get; init; }
}
